/** A fill counts for its maker from this share of the series' cap on: a smaller one costs hardly more than its gas. */
const capShare = 100_000n

/** Whether a filled quote says something about its maker. Amounts are raw units of the loan token. */
export function isLargeFill({ notional, cap }: { notional: bigint; cap: bigint }): boolean {
  return notional > 0n && notional * capShare >= cap
}
