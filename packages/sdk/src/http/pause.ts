import type { Clock } from '@firmquote/core/utils'
import type { Delivery } from '../errors.ts'
import type { CallGuard } from './callGuard.ts'

/**
 * Waits before the next attempt of a call.
 *
 * @throws the error that ends the call, as soon as the call ends.
 */
export async function pause(clock: Clock, milliseconds: number, guard: CallGuard): Promise<void> {
  let cancel = () => {}
  const delay = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve)
  })
  await waitFor(delay, guard, 'maybe').finally(cancel)
}

/**
 * Waits for work that other calls may share.
 *
 * @throws the error that ends the call, as soon as the call ends.
 */
export function waitFor<T>(work: Promise<T>, guard: CallGuard, sent: Delivery): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(guard.failure(sent))
    if (guard.signal.aborted) onAbort()
    else guard.signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject)
  })
}
