import type { ExecutabilityRequest, RFQResult, SignedQuote, StoredQuote } from '@firmquote/sdk'

/** A quote with all that its checks need. */
export type FoundQuote = {
  hash: string
  signed: SignedQuote
  request: ExecutabilityRequest
  /** When its series ends, Unix seconds; a published quote does not say. */
  expiry?: number
}

/** Finds a quote in an auction's result; it is held against what was asked for. */
export function findAuctionQuote(auction: RFQResult, hash: string): FoundQuote | null {
  const collected = auction.quotes.find((quote) => quote.hash === hash)
  return collected ? { hash, signed: collected.quote, request: auction, expiry: auction.expiry } : null
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

/** Why a stored quote is not on offer. */
export function endedWords({ status }: Pick<StoredQuote, 'status'>): string {
  return {
    active: 'It was made in an auction, for its borrower alone.',
    filled: 'Someone has taken it.',
    cancelled: 'Its maker has cancelled it.',
    nonce_raised: 'Its maker has withdrawn it with all of its quotes of that time.',
    expired: 'It has expired.',
  }[status]
}
