import type { ExecutabilityRequest, RFQResult, SignedQuote, StoredQuote } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** A quote with all the inputs to its checks. */
export type FoundQuote = {
  hash: Hex
  signed: SignedQuote
  request: ExecutabilityRequest
  /** The series' maturity, in Unix seconds. Absent for a published quote. */
  expiry?: number
}

/** Finds a quote in an auction's result. The quote is checked against the auction's request. */
export function findAuctionQuote(auction: RFQResult, hash: string): FoundQuote | null {
  const collected = auction.quotes.find((quote) => quote.hash === hash)
  return collected ? { hash: collected.hash, signed: collected.quote, request: auction, expiry: auction.expiry } : null
}

/**
 * Returns a published quote that is open or was taken by this app, or null otherwise. A published quote is taken in
 * full, so its own terms serve as the request.
 *
 * @param own Whether this app has a transaction that takes the quote.
 */
export function findStoredQuote({ hash, quote, status }: StoredQuote, own: boolean): FoundQuote | null {
  const { signature } = quote
  if ((status !== 'active' && !own) || signature === undefined) return null
  const { poolId, seriesKey, notional } = quote
  return { hash, signed: { ...quote, signature }, request: { poolId, seriesKey, notional } }
}
