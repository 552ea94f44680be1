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
export const mostTakes = 4

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
 * Finds published quotes that are open or were taken by this app. Each is taken in full, so their own terms serve as
 * the request. Leaves out quotes that have ended, and quotes for another term. Returns null if none is left.
 *
 * @param isOwn Whether this app has a transaction that takes the quote.
 */
export function findStoredQuotes(
  stored: readonly StoredQuote[],
  isOwn: (hash: Hex) => boolean,
): (FoundQuotes & { limit: bigint }) | null {
  const open = stored.flatMap(({ hash, quote: { signature, ...quote }, status }) => {
    const isOpen = signature !== undefined && (status === 'active' || isOwn(hash))
    return isOpen ? [{ hash, signed: { ...quote, signature } }] : []
  })
  const [first] = open
  if (!first) return null
  const { poolId, seriesKey } = first.signed
  const more = open.slice(1, mostTakes).filter(({ signed }) => signed.seriesKey === seriesKey)
  const chosen = [first, ...more] as const
  const notional = chosen.reduce((sum, { signed }) => sum + signed.notional, 0n)
  return { chosen, others: [], request: { poolId, seriesKey, notional }, limit: limitOf(chosen, notional) }
}

/** The lowest limit, in raw units, of which each quote's pro-rata share is at least its cost. */
function limitOf(chosen: readonly ChosenQuote[], notional: bigint): bigint {
  const limits = chosen.map(({ signed }) => (signed.vrtAmount * notional + signed.notional - 1n) / signed.notional)
  // biome-ignore lint/complexity/useMathMinMax: Math.max does not accept bigints.
  return limits.reduce((most, limit) => (most < limit ? limit : most), 0n)
}
