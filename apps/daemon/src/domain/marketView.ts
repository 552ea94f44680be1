import type { AuctionResultMessage, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from './exposure.ts'

/** A pool's rates and depth, as last reported by the service. Prices may depend on this data, but limits must not. */
export type Curve = {
  /** When the curve was read, in Unix seconds on the local clock. */
  readAt: number
  /** The pool's floating borrow rate, in WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  series: {
    seriesKey: Hex
    /** Unix seconds. */
    expiry: number
    /** Best fixed rate from any maker, as simple APR in WAD, or null if no maker quotes. */
    bestApr: bigint | null
    /** Notional that can be fixed now (`depth`), and the series' remaining capacity, in raw loan-token units. */
    depth: bigint
    capacity: bigint
  }[]
}

/** One of the maker's live quotes. Amounts are in raw loan-token units. */
export type BookedQuote = {
  poolId: Hex
  seriesKey: Hex
  notional: bigint
  vrtAmount: bigint
  /** Unix seconds. */
  deadline: bigint
}

/** The maker's exposure in a series, in raw loan-token units. */
export type SeriesExposure = {
  seriesKey: Hex
  /** Notional of the maker's unsettled positions, excluding those it opened as a borrower. */
  open: bigint
  /** Notional of the maker's live quotes. */
  quoted: bigint
}

/** An auction in which the maker participated. */
export type RecentAuction = {
  rfqId: PublicRfqId
  poolId: Hex
  seriesKey: Hex
  /** Requested notional, in raw loan-token units. */
  notional: bigint
  /** Result of the maker's quote. `best` means that the quote ranked first. */
  outcome: NonNullable<AuctionResultMessage['outcome']>
  /** Number of quotes from all makers. */
  quoteCount: number
  /** Unix milliseconds on the service's clock. */
  closedAt: number
}

/** Market and maker data that a pricer receives with the RFQ. */
export type MarketView = {
  /** Curve for the RFQ's pool, or null if the service has not reported it recently. */
  curve: Curve | null
  /** The maker's newest 500 live quotes in the loan token. */
  book: BookedQuote[]
  /** The maker's exposure in the loan token, by series. Null until the positions have been read. */
  exposure: SeriesExposure[] | null
  /** Auctions since the daemon started, newest first, at most 100. */
  recentAuctions: RecentAuction[]
}

const maxBookedQuotes = 500

/** Converts live quotes to the form passed to pricers. */
export function describeBook(live: readonly OutstandingQuote[]): BookedQuote[] {
  return live.slice(-maxBookedQuotes).map(({ quote }) => {
    const { poolId, seriesKey, notional, vrtAmount, deadline } = quote
    return { poolId, seriesKey, notional, vrtAmount, deadline }
  })
}

/** Sums the exposure by series. All `positions` must belong to the maker and have the same loan token. */
export function exposureBySeries(
  positions: readonly { seriesKey: Hex; notional: bigint }[],
  live: readonly OutstandingQuote[],
): SeriesExposure[] {
  const sums = new Map<Hex, SeriesExposure>()
  const of = (seriesKey: Hex) => {
    const sum = sums.get(seriesKey) ?? { seriesKey, open: 0n, quoted: 0n }
    sums.set(seriesKey, sum)
    return sum
  }
  for (const { seriesKey, notional } of positions) of(seriesKey).open += notional
  for (const { quote } of live) of(quote.seriesKey).quoted += quote.notional
  return [...sums.values()]
}

/** Describes an auction for a pricer. Returns null if the maker did not quote. */
export function describeAuction(rfq: RFQBroadcast, result: AuctionResultMessage): RecentAuction | null {
  const { own, quoteCount, closedAt } = result
  if (!own) return null
  const outcome = result.outcome ?? outcomeOf(own.rank)
  const { rfqId, poolId, seriesKey, notional } = rfq
  return outcome && { rfqId, poolId, seriesKey, notional, outcome, quoteCount, closedAt }
}

/** Older services send the rank instead of the outcome. */
function outcomeOf(rank: number | undefined): RecentAuction['outcome'] | null {
  if (rank === undefined) return null
  return rank === 1 ? 'best' : rank <= 5 ? 'close' : 'beaten'
}

/** A pool's curve as reported by the service. */
export type PublishedCurve = Omit<Curve, 'readAt'> & {
  poolId: Hex
  loanToken: { address: Address; decimals: number }
}
