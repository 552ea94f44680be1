import { setTimeout as delay } from 'node:timers/promises'
import { StorageUnavailableError } from '../src/ports/errors.ts'

/**
 * Polls until the result is true. Treats `StorageUnavailableError` as false.
 *
 * @returns the elapsed milliseconds.
 */
export async function waitUntil(isSo: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<number> {
  const start = performance.now()
  for (;;) {
    try {
      if (await isSo()) return performance.now() - start
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
    }
    if (performance.now() - start > timeoutMs) throw new TypeError(`Timed out after ${timeoutMs} ms: ${isSo}`)
    await delay(20)
  }
}
