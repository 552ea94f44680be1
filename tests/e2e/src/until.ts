import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until something holds, which is asked every few milliseconds.
 *
 * @throws {TypeError} when it does not hold within this time, by default any; the message is `otherwise`.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { withinMs = Number.POSITIVE_INFINITY, otherwise = () => `Not within ${withinMs} ms: ${holds}` } = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(2)) {
    if (performance.now() > end) throw new TypeError(otherwise())
  }
}
