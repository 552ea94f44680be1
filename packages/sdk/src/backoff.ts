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

/**
 * How long to wait for something to come back that takes time to: 100 to 200 ms at first, doubling up to 1 to 2 s. The first six waits
 * together take 3.5 s at least.
 */
export function steadyDelay(attempt: number, random: number): number {
  const longest = Math.min(2_000, 200 * 2 ** Math.min(attempt, 30))
  return Math.floor((longest * (1 + random)) / 2)
}
