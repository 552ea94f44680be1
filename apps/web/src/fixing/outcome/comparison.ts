// Why: docs/decisions/0070-compared-at-maturity.md
import { compareWithFloating, type FloatingComparison, floatingGrowth } from '@firmquote/sdk'

/** The price of fixing. Amounts are in raw units of the loan token; `from` and `expiry` are in Unix seconds. */
export type FixedPrice = { notional: bigint; cost: bigint; from: number; expiry: number }

/**
 * Compares a fixed price with the current floating rate, as if it stayed constant until maturity. All views show these
 * figures. Pure.
 *
 * @param ratePerSec The floating rate, WAD per second.
 * @throws {InvalidInputError} if the notional is zero or the term has ended.
 */
export function compareAtRate({ notional, cost, from, expiry }: FixedPrice, ratePerSec: bigint): FloatingComparison {
  return compareWithFloating({ notional, vrtAmount: cost }, floatingGrowth(ratePerSec, expiry - from))
}
