/**
 * The smallest share of a series' cap for which a fill counts for its maker; a smaller fill costs little more than its
 * gas.
 */
const capShare = 100_000n

/** Whether a fill is large enough to count for its maker. Amounts are raw units of the loan token. */
export function isLargeFill({ notional, cap }: { notional: bigint; cap: bigint }): boolean {
  return notional > 0n && notional * capShare >= cap
}
