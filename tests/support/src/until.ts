import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until a condition is met.
 *
 * @throws {TypeError} with the message `otherwise` if the condition is not met within the time limit. By default, there
 * is no limit.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { withinMs = Number.POSITIVE_INFINITY, otherwise = () => `Not within ${withinMs} ms: ${holds}` } = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(2)) {
    if (performance.now() > end) throw new TypeError(otherwise())
  }
}
