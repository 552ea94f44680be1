/**
 * Returns the milliseconds to wait before the next attempt. Full jitter keeps clients from reconnecting at the same
 * time.
 *
 * @param attempt 0 for the first wait. The range doubles with every attempt.
 * @param random A number from 0 (inclusive) to 1 (exclusive).
 */
export function backoffDelay(
  attempt: number,
  random: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
): number {
  return Math.floor(random * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)))
}

/**
 * Returns the milliseconds to wait for the service to recover: 100 to 200 at first, then doubling up to 1,000 to 2,000.
 * The first six waits total at least 3.5 s.
 */
export function steadyDelay(attempt: number, random: number): number {
  const longest = Math.min(2_000, 200 * 2 ** Math.min(attempt, 30))
  return Math.floor((longest * (1 + random)) / 2)
}
