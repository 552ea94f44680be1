// Why: docs/decisions/0053-rates-over-time.md
import { quoteApr } from '@firmquote/core'

/** A quote taken on-chain. Amounts are in raw units of the loan token. `openedAt` is in Unix seconds. */
export type PricedFill = { notional: bigint; cost: bigint; openedAt: number }

/**
 * The cost of several fills in a series. `apr` is the median, simple and in percent. `notional` is their total, in raw
 * units of the loan token.
 */
export type FillMedian = { apr: number; notional: bigint; count: number }

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
    .map(({ notional, cost, openedAt }) => ({
      notional,
      apr: quoteApr({ notional, vrtAmount: cost }, expiry, openedAt),
    }))
    .sort((a, b) => a.apr - b.apr)
  const notional = byApr.reduce((sum, fill) => sum + fill.notional, 0n)
  let upTo = 0n
  for (const fill of byApr) {
    upTo += fill.notional
    if (2n * upTo >= notional) return { apr: fill.apr, notional, count: byApr.length }
  }
  return null
}
