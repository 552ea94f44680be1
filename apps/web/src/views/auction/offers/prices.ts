import { type CollectedQuote, quoteApr, type RFQResult } from '@firmquote/sdk'
import { closeOf } from '../../../fixing/auctions/closeOf.ts'
import type { FixedPrice } from '../../../fixing/outcome/comparison.ts'

/** Returns the offers' total price and its simple APR in percent, or null if there are none. Pure. */
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
  // After an outage, an auction may have closed after its term matured.
  const apr = expiry > from ? quoteApr({ notional, vrtAmount: cost }, expiry, from) : first.apr
  return { notional, cost, from, expiry, apr }
}
