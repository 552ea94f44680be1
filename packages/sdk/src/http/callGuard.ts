import type { Clock } from '@firmquote/core'
import { AbortedError, type Delivery, TimeoutError } from '../errors.ts'

/** What every call takes: a signal that ends it, and how long it may take. */
export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries included. */
  timeoutMs?: number | undefined
}

/** One call's time-out and the caller's signal, as one signal. */
export type CallGuard = {
  readonly signal: AbortSignal
  /** Starts the time-out afresh. */
  restart(timeoutMs: number): void
  /** Holds the time-out, until it is restarted. */
  pause(): void
  /** Why the call has to end, or null when nothing asks for it. */
  failure(sent: Delivery): AbortedError | TimeoutError | null
  /** Ends the call: the signal aborts whatever still runs, the timer and the caller's signal are let go. */
  release(): void
}

/** Watches over one call. `release` it when it is over. */
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
