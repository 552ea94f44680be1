// Why: docs/decisions/0053-rates-over-time.md
import { comparePrices, type QuotePrice, quoteApr } from '@firmquote/core'

/** A quote taken on-chain. Amounts are in raw units of the loan token. `openedAt` is in Unix seconds. */
export type PricedFill = { notional: bigint; cost: bigint; openedAt: number }

/** A price, and the Unix second at which its rate is measured. */
export type DatedPrice = QuotePrice & { at: number }

/**
 * The cost of several fills in a series. `apr` is the median, simple and in percent, and `price` is the fill with that
 * rate. `notional` is their total, in raw units of the loan token.
 */
export type FillMedian = { apr: number; price: DatedPrice; notional: bigint; count: number }

/**
 * Returns the lowest APR at which the fills up to that APR reach half of the total notional, in whatever order they are
 * given. Null without fills.
 *
 * A fill's cost is what its borrower paid, so the APR is the quote's at the block in which it was taken.
 *
 * @param expiry The series' expiry, in Unix seconds, after every `openedAt`.
 */
export function fillMedian(fills: readonly PricedFill[], expiry: number): FillMedian | null {
  const byApr = fills
    .map(({ notional, cost, openedAt }) => {
      const price = { notional, vrtAmount: cost, at: openedAt }
      return { apr: quoteApr(price, expiry, openedAt), price }
    })
    .sort((a, b) => a.apr - b.apr || a.price.at - b.price.at || comparePrices(a.price, b.price))
  const notional = byApr.reduce((sum, { price }) => sum + price.notional, 0n)
  let upTo = 0n
  for (const fill of byApr) {
    upTo += fill.price.notional
    if (2n * upTo >= notional) return { ...fill, notional, count: byApr.length }
  }
  return null
}
