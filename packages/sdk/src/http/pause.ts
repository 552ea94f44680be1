import type { Clock } from '@firmquote/core'
import type { CallGuard } from './callGuard.ts'

/**
 * Waits between two tries of a call.
 *
 * @throws why the call has to end, as soon as it has to.
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
