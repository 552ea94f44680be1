/**
 * Divides a series' cap to get the smallest fill that counts for its maker. A smaller fill costs little more than its
 * gas.
 */
const capShare = 100_000n

/** Whether a fill is large enough to count for its maker. Amounts are in raw units of the loan token. */
export function isLargeFill({ notional, cap }: { notional: bigint; cap: bigint }): boolean {
  return notional > 0n && notional * capShare >= cap
}

/** The share of a quote's notional that its contract maker must have had filled at once. */
const provenShare = 10n

/**
 * Whether a fill proves a contract maker for a quote of `notional`, both in raw units of one loan token. A contract can
 * approve every read and reject every transaction. The fill's escrow makes that expensive in proportion to the quote.
 */
export function provesFor(fill: bigint, notional: bigint): boolean {
  return fill > 0n && fill * provenShare >= notional
}
