import { type CollectedQuote, quoteApr, type RFQResult } from '@firmquote/sdk'
import { closeOf } from '../../../fixing/auctions/closeOf.ts'
import type { FixedPrice } from '../../../fixing/outcome/comparison.ts'

/** The total price of offers with their rate as simple APR in percent; null without any. Pure. */
export function priceOf(
  auction: Pick<RFQResult, 'closedAt' | 'closesAt' | 'expiry'>,
  quotes: readonly CollectedQuote[],
): (FixedPrice & { apr: number }) | null {
  const [first] = quotes
  if (!first) return null
  const { expiry } = auction
  const from = closeOf(auction)
  const notional = quotes.reduce((sum, { quote }) => sum + quote.notional, 0n)
  const cost = quotes.reduce((sum, { quote }) => sum + quote.vrtAmount, 0n)
  // An auction that should have closed during an outage may have closed after its term.
  const apr = expiry > from ? quoteApr({ notional, vrtAmount: cost }, expiry, from) : first.apr
  return { notional, cost, from, expiry, apr }
}
