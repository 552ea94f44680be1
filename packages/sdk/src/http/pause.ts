import type { Clock } from '@firmquote/core'
import type { CallGuard } from './callGuard.ts'

/**
 * Waits before the next attempt of a call.
 *
 * @throws the error that ends the call, as soon as the call ends.
 */
export function pause(clock: Clock, milliseconds: number, guard: CallGuard): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => {
      guard.signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      cancel()
      reject(guard.failure('maybe'))
    }
    if (guard.signal.aborted) onAbort()
    else guard.signal.addEventListener('abort', onAbort, { once: true })
  })
}
