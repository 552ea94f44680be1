/**
 * Divisor of a series' cap that yields the smallest fill that counts for its maker. A smaller fill costs little more
 * than its gas.
 */
const capShare = 100_000n

/** Whether a fill is large enough to count in its maker's favour. Amounts are in raw units of the loan token. */
export function isLargeFill({ notional, cap }: { notional: bigint; cap: bigint }): boolean {
  return notional > 0n && notional * capShare >= cap
}

/** Divisor of a quote's notional that yields the smallest fill that proves the quote's contract maker. */
const provenShare = 10n

/**
 * Notional of the largest quote for which a fill proves its contract maker, both in raw units of the same loan token. A
 * contract can approve every read and reject every transaction. The fill's escrow makes that expensive, in proportion
 * to the quote.
 */
export function largestProven(fill: bigint): bigint {
  return fill * provenShare
}

/** Whether a fill proves a contract maker for a quote of `notional`. */
export function provesFor(fill: bigint, notional: bigint): boolean {
  return fill > 0n && largestProven(fill) >= notional
}
