import type { Clock } from '@firmquote/core/utils'
import { HookError } from '../errors.ts'
import type { AlertHook, AlertNotice } from '../ports/alertHook.ts'

/** The maker's alert hook and its time limit in milliseconds. */
export type AlertHookSetup = { call: AlertHook; timeoutMs: number }

/**
 * Calls the alert hook.
 *
 * @param stopping ends the call when the daemon stops.
 * @throws {HookError} if the hook fails or takes too long.
 */
export async function callAlertHook(
  { call, timeoutMs }: AlertHookSetup,
  notice: AlertNotice,
  { clock, stopping }: { clock: Clock; stopping: AbortSignal },
): Promise<void> {
  const ending = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(new HookError('The hook timed out.')))
  })
  const end = () => ending.abort()
  const cancel = clock.after(timeoutMs, end)
  stopping.addEventListener('abort', end)
  if (stopping.aborted) end()
  try {
    await Promise.race([call(notice, ending.signal), ended])
  } finally {
    cancel()
    stopping.removeEventListener('abort', end)
  }
}
