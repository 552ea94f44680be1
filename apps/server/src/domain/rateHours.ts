/** A block, as far as its place in time goes; `timestamp` in Unix seconds. */
export type TimedBlock = { number: bigint; timestamp: bigint }

/** Seconds between two points of a market's floating rate. */
export const hourSeconds = 3_600

/** The full hour of a time, both in Unix seconds. */
export function hourOf(time: number | bigint): number {
  return Math.floor(Number(time) / hourSeconds) * hourSeconds
}

/**
 * Which block to look at next to find the first one at or after a time; null once it is found, which is `high`.
 *
 * @param low a block before the time; null while none is known.
 * @param high a block at or after it.
 * @param spacing seconds between two blocks, roughly.
 * @param asked how many blocks were looked at: every third is the middle, so that a chain of any rhythm is halved.
 */
export function nextBlockToAsk(
  time: number,
  { low, high, spacing, asked }: { low: TimedBlock | null; high: TimedBlock; spacing: number; asked: number },
): bigint | null {
  const least = (low?.number ?? -1n) + 1n
  const most = high.number - 1n
  if (most < least) return null
  if (asked % 3 === 2) return (least + most) / 2n
  const behind = Math.ceil((Number(high.timestamp) - time) / Math.max(spacing, 0.01))
  const guess = low
    ? low.number +
      BigInt(
        Math.ceil(
          (Number(high.number - low.number) * (time - Number(low.timestamp))) / Number(high.timestamp - low.timestamp),
        ),
      )
    : high.number - BigInt(behind) - 1n
  return guess < least ? least : guess > most ? most : guess
}
