import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until a condition holds.
 *
 * @throws {TypeError} if it does not hold within the time limit, by default none; the message is `otherwise`.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { withinMs = Number.POSITIVE_INFINITY, otherwise = () => `Not within ${withinMs} ms: ${holds}` } = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(2)) {
    if (performance.now() > end) throw new TypeError(otherwise())
  }
}
