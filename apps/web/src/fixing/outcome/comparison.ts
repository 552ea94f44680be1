import { quoteApr } from '@firmquote/sdk'
import { floatingCost } from './floatingCost.ts'
import { perYear } from './perYear.ts'

/** The price of fixing. Amounts are in raw units of the loan token; `from` and `expiry` are in Unix seconds. */
export type FixedPrice = { notional: bigint; cost: bigint; from: number; expiry: number }

/** A fixed price compared with the current floating rate. Amounts are in raw units. */
export type Comparison = {
  seconds: number
  /** Break-even simple APR in percent. Fixing pays off if the average floating rate exceeds this value. */
  breakEvenApr: number
  /** The floating cost over the term at the current rate, without compounding. */
  floatingCost: bigint
  /** The extra cost of fixing compared with floating. Negative if fixing costs less. */
  moreForTerm: bigint
  /** The extra cost of fixing per year of 365 days. */
  moreAYear: bigint
}

/**
 * Compares a fixed price with the floating rate. All views show these figures. Pure.
 *
 * @param ratePerSec The floating rate, WAD per second.
 * @throws {InvalidInputError} if the term has ended.
 */
export function compareWithFloating({ notional, cost, from, expiry }: FixedPrice, ratePerSec: bigint): Comparison {
  const breakEvenApr = quoteApr({ notional, vrtAmount: cost }, expiry, from)
  const seconds = expiry - from
  const floating = floatingCost(notional, ratePerSec, seconds)
  const moreForTerm = cost - floating
  return { seconds, breakEvenApr, floatingCost: floating, moreForTerm, moreAYear: perYear(moreForTerm, seconds) }
}
