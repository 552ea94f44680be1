/**
 * How long to wait before the next try, in milliseconds: full jitter, so that clients that were cut off together do not
 * come back together.
 *
 * @param attempt 0 for the first wait; the range doubles with every further one.
 * @param random a number from 0 up to 1.
 */
export function backoffDelay(
  attempt: number,
  random: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
): number {
  return Math.floor(random * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)))
}
