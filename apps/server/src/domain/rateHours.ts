/** A block's number and timestamp in Unix seconds. */
export type TimedBlock = { number: bigint; timestamp: bigint }

/** Seconds between consecutive floating-rate points. */
export const hourSeconds = 3_600

/** Rounds a time down to the full hour, in Unix seconds. */
export function hourOf(time: number | bigint): number {
  return Math.floor(Number(time) / hourSeconds) * hourSeconds
}

/**
 * Chooses the next block to read when searching for the first block at or after a time; null if `high` is that block.
 *
 * @param low a block before the time; null if unknown.
 * @param high a block at or after the time.
 * @param spacing approximate seconds between blocks.
 * @param asked number of blocks read so far. Every third read takes the middle, so that the range is halved on any
 * chain.
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
