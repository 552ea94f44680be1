import type { QuotePrice } from '@firmquote/core'
import { formatPrincipal, formatRate } from '@firmquote/sdk'
import { floatingCost } from '../../service/floatingCost.ts'
import type { Pool, Token } from '../../service/serviceContext.ts'
import { perYear } from './estimateCost.ts'

/** A fixed price against the floating rate as it is now. Raw units. */
export type Comparison = {
  /** What the quote comes to in a year. */
  fixedPerYear: bigint
  /** What the same debt costs in a year at today's floating rate. */
  floatingPerYear: bigint
  /** In words: what one pays more for certainty, or saves. */
  text: string
}

/**
 * Compares a quote with today's floating rate. Pure.
 *
 * @param seconds from the close of the auction to the maturity.
 */
export function compareWithFloating(price: QuotePrice, pool: Pool, seconds: number): Comparison {
  const { loanToken, floating } = pool
  const fixedPerYear = perYear(price.vrtAmount, seconds)
  const floatingPerYear = perYear(floatingCost(price.notional, floating.ratePerSec, seconds), seconds)
  const difference = fixedPerYear - floatingPerYear
  const amount = describeAmount(difference < 0n ? -difference : difference, loanToken)
  const text =
    difference === 0n
      ? 'The same as the floating rate costs today; but it cannot change.'
      : difference < 0n
        ? `${amount} a year less than the floating rate costs today, and it cannot rise.`
        : `${amount} a year more than the floating rate costs today; in return it cannot rise.`
  return { fixedPerYear, floatingPerYear, text }
}

/** Rounded to whole tokens from 1,000 upwards, else to hundredths: the floating rate is not known any better. */
function describeAmount(value: bigint, { symbol, decimals }: Token): string {
  const one = 10n ** BigInt(decimals)
  const step = value >= 1_000n * one ? one : one / 10n ** BigInt(Math.min(2, decimals))
  return `${formatPrincipal(((value + step / 2n) / step) * step, decimals)} ${symbol}`
}

/** What is said aloud when an auction has closed. Pure. */
export function describeClose(quotes: readonly { apr: number; quote: QuotePrice }[], token: Token): string {
  const [best] = quotes
  if (!best) return 'The auction has closed. Nobody has quoted.'
  const count = quotes.length === 1 ? 'One quote' : `${quotes.length} quotes`
  return `The auction has closed. ${count}; the best is ${formatRate(best.apr)} APR fixed, for ${describeAmount(best.quote.vrtAmount, token)}.`
}
