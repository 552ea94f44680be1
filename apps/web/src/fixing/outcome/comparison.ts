import { quoteApr } from '@firmquote/sdk'
import { floatingCost } from './floatingCost.ts'
import { perYear } from './perYear.ts'

/** What fixing costs: both amounts in raw units of the loan token, `from` and `expiry` in Unix seconds. */
export type FixedPrice = { notional: bigint; cost: bigint; from: number; expiry: number }

/** A fixed price against the floating rate as it is now. Amounts in raw units. */
export type Comparison = {
  seconds: number
  /** Simple APR in percent: fixing has paid off if the floating rate averages more. */
  breakEvenApr: number
  /** What the term costs if the floating rate stays where it is, without interest on interest. */
  floatingCost: bigint
  /** What fixing costs more than that; negative where it costs less. */
  moreForTerm: bigint
  /** The same as what it comes to in a year of 365 days. */
  moreAYear: bigint
}

/**
 * The one comparison of a fixed price with the floating rate: every view shows these figures. Pure.
 *
 * @param ratePerSec the floating rate, WAD per second.
 * @throws {InvalidInputError} when the term has ended.
 */
export function compareWithFloating({ notional, cost, from, expiry }: FixedPrice, ratePerSec: bigint): Comparison {
  const breakEvenApr = quoteApr({ notional, vrtAmount: cost }, expiry, from)
  const seconds = expiry - from
  const floating = floatingCost(notional, ratePerSec, seconds)
  const moreForTerm = cost - floating
  return { seconds, breakEvenApr, floatingCost: floating, moreForTerm, moreAYear: perYear(moreForTerm, seconds) }
}
