import type { ExecutabilityRequest, RFQResult, SignedQuote, StoredQuote } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** A quote to take. */
export type ChosenQuote = { hash: Hex; signed: SignedQuote }

/** Quotes to take with one press, and all inputs to their checks. */
export type FoundQuotes = {
  chosen: readonly [ChosenQuote, ...ChosenQuote[]]
  /** Quotes for the same request that may replace them. */
  others: readonly SignedQuote[]
  request: ExecutabilityRequest
  /** The series' maturity, in Unix seconds. Absent for a published quote. */
  expiry?: number
}

/** The most quotes that are taken with one press. */
const mostTakes = 4

/**
 * Finds quotes in an auction's result. They are checked against the auction's request. Returns null if the auction has
 * no quote of the hash.
 *
 * @param together Hashes of the quotes to take with it. Unknown ones are left out, because they come from the address.
 */
export function findAuctionQuotes(auction: RFQResult, hash: string, together: readonly string[]): FoundQuotes | null {
  const hashes = [hash, ...together.filter((other) => other !== hash)]
  const found = hashes.flatMap((one) => auction.quotes.filter((quote) => quote.hash === one)).slice(0, mostTakes)
  const [first, ...more] = found.map(({ hash, quote }) => ({ hash, signed: quote }))
  if (first?.hash !== hash) return null
  const others = auction.quotes.filter((quote) => !found.includes(quote)).map(({ quote }) => quote)
  return { chosen: [first, ...more], others, request: auction, expiry: auction.expiry }
}

/**
 * Returns a published quote that is open or was taken by this app, or null otherwise. A published quote is taken in
 * full, so its own terms serve as the request.
 *
 * @param own Whether this app has a transaction that takes the quote.
 */
export function findStoredQuote({ hash, quote, status }: StoredQuote, own: boolean): FoundQuotes | null {
  const { signature } = quote
  if ((status !== 'active' && !own) || signature === undefined) return null
  const { poolId, seriesKey, notional } = quote
  return { chosen: [{ hash, signed: { ...quote, signature } }], others: [], request: { poolId, seriesKey, notional } }
}
