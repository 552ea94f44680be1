import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import { closeOf } from '../../../fixing/auctions/closeOf.ts'
import type { FixedPrice } from '../../../fixing/outcome/comparison.ts'
import { effectiveApyOf } from '../../../fixing/outcome/effectiveApy.ts'

type Term = Pick<RFQResult, 'closedAt' | 'closesAt' | 'expiry'>

/** Returns the offers' total price and its effective APY in percent, or null if there are none. Pure. */
export function priceOf(
  auction: Term,
  quotes: readonly CollectedQuote[],
): (FixedPrice & { effectiveApy: number }) | null {
  const [first] = quotes
  if (!first) return null
  const notional = quotes.reduce((sum, { quote }) => sum + quote.notional, 0n)
  const cost = quotes.reduce((sum, { quote }) => sum + quote.vrtAmount, 0n)
  const effectiveApy = apyOf(auction, { quote: { notional, vrtAmount: cost }, receivedAt: first.receivedAt })
  return { notional, cost, from: closeOf(auction), expiry: auction.expiry, effectiveApy }
}

/** Returns an offer's effective APY in percent, from the auction's close to maturity. Pure. */
export function apyOf(
  auction: Term,
  { quote, receivedAt }: { quote: Pick<CollectedQuote['quote'], 'notional' | 'vrtAmount'>; receivedAt: number },
): number {
  const from = closeOf(auction)
  // After an outage, an auction may have closed after its term matured.
  return effectiveApyOf(quote, auction.expiry, auction.expiry > from ? from : Math.floor(receivedAt / 1000))
}
