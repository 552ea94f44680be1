import type { ExecutabilityRequest, RFQResult, SignedQuote, StoredQuote } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** A quote with all that its checks need. */
export type FoundQuote = {
  hash: Hex
  signed: SignedQuote
  request: ExecutabilityRequest
  /** When its series ends, Unix seconds; a published quote does not say. */
  expiry?: number
}

/** Finds a quote in an auction's result; it is held against what was asked for. */
export function findAuctionQuote(auction: RFQResult, hash: string): FoundQuote | null {
  const collected = auction.quotes.find((quote) => quote.hash === hash)
  return collected ? { hash: collected.hash, signed: collected.quote, request: auction, expiry: auction.expiry } : null
}

/**
 * A published quote that still stands, or that this page has taken itself; it is taken as it is, so its own terms are what
 * is asked for.
 *
 * @param own whether this page has a transaction that takes it.
 */
export function findStoredQuote({ hash, quote, status }: StoredQuote, own: boolean): FoundQuote | null {
  const { signature } = quote
  if ((status !== 'active' && !own) || signature === undefined) return null
  const { poolId, seriesKey, notional } = quote
  return { hash, signed: { ...quote, signature }, request: { poolId, seriesKey, notional } }
}
