import type { Clock } from '@firmquote/core/utils'
import { AbortedError, type Delivery, TimeoutError } from '../errors.ts'

/** Options common to all calls. */
export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Timeout in milliseconds for the whole call, including retries. */
  timeoutMs?: number | undefined
}

/** Combines a call's timeout and the caller's signal into one signal. */
export type CallGuard = {
  readonly signal: AbortSignal
  /** Restarts the timeout. */
  restart(timeoutMs: number): void
  /** Suspends the timeout until `restart` is called. */
  pause(): void
  /** Returns the error that ends the call, or null if it may continue. */
  failure(sent: Delivery): AbortedError | TimeoutError | null
  /** Ends the call: aborts pending work, clears the timer and removes the listener. */
  release(): void
}

/** Guards one call. Call `release` when it ends. */
export function guardCall(clock: Clock, { signal, timeoutMs }: CallOptions & { timeoutMs: number }): CallGuard {
  const controller = new AbortController()
  let limit = timeoutMs
  let timedOut = false
  let cancelTimer = () => {}

  const onAbort = () => {
    cancelTimer()
    controller.abort(signal?.reason)
  }
  const restart = (ms: number) => {
    cancelTimer()
    limit = ms
    if (controller.signal.aborted) return
    cancelTimer = clock.after(ms, () => {
      timedOut = true
      controller.abort()
    })
  }

  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  restart(timeoutMs)

  return {
    signal: controller.signal,
    restart,
    pause: () => cancelTimer(),
    failure(sent) {
      if (timedOut) return new TimeoutError(`No answer within ${limit} ms.`, { sent, timeoutMs: limit })
      return signal?.aborted ? new AbortedError({ sent, cause: signal.reason }) : null
    },
    release() {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
      controller.abort()
    },
  }
}
