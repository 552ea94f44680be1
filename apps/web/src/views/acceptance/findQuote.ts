import type { ExecutabilityRequest, RFQResult, SignedQuote, StoredQuote } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** A quote with everything its checks need. */
export type FoundQuote = {
  hash: Hex
  signed: SignedQuote
  request: ExecutabilityRequest
  /** The series's maturity, in Unix seconds; absent for a published quote. */
  expiry?: number
}

/** Finds a quote in an auction's result. It is checked against the request. */
export function findAuctionQuote(auction: RFQResult, hash: string): FoundQuote | null {
  const collected = auction.quotes.find((quote) => quote.hash === hash)
  return collected ? { hash: collected.hash, signed: collected.quote, request: auction, expiry: auction.expiry } : null
}

/**
 * A published quote that is still open, or that this app has taken. It is taken as a whole, so its own terms are the
 * request.
 *
 * @param own whether this app has a transaction that takes it.
 */
export function findStoredQuote({ hash, quote, status }: StoredQuote, own: boolean): FoundQuote | null {
  const { signature } = quote
  if ((status !== 'active' && !own) || signature === undefined) return null
  const { poolId, seriesKey, notional } = quote
  return { hash, signed: { ...quote, signature }, request: { poolId, seriesKey, notional } }
}
