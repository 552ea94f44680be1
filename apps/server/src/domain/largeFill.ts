/**
 * Divides a series' cap to get the smallest fill that counts for its maker. A smaller fill costs little more than its
 * gas.
 */
const capShare = 100_000n

/** Whether a fill is large enough to count for its maker. Amounts are in raw units of the loan token. */
export function isLargeFill({ notional, cap }: { notional: bigint; cap: bigint }): boolean {
  return notional > 0n && notional * capShare >= cap
}
