import type { AuctionResultMessage, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Hex } from 'viem'
import type { OutstandingQuote } from './exposure.ts'

/** Rates and depth of a pool as last reported by the service. They may inform prices, never limits. */
export type Curve = {
  /** Time of the read by the local clock, in Unix seconds. */
  readAt: number
  /** Floating borrow rate of the pool, WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  series: {
    seriesKey: Hex
    /** Unix seconds. */
    expiry: number
    /** Best fixed rate from any maker, simple APR in WAD. Null without a quote. */
    bestApr: bigint | null
    /** Notional that can be fixed now (`depth`), and remaining capacity of the series. Raw loan-token units. */
    depth: bigint
    capacity: bigint
  }[]
}

/** A live quote of the maker. Amounts are in raw loan-token units. */
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
  /** Notional of its unsettled positions as a maker. */
  open: bigint
  /** Notional of its live quotes. */
  quoted: bigint
}

/** An auction that the maker took part in. */
export type RecentAuction = {
  rfqId: PublicRfqId
  poolId: Hex
  seriesKey: Hex
  /** Requested notional, in raw loan-token units. */
  notional: bigint
  /** Result of its quote. `best` means ranked first. */
  outcome: NonNullable<AuctionResultMessage['outcome']>
  /** Number of quotes from all makers. */
  quoteCount: number
  /** Unix milliseconds, by the service's clock. */
  closedAt: number
}

/** Data about the market and the maker that a pricer receives with the RFQ. */
export type MarketView = {
  /** Curve of the RFQ's pool. Null if the service has not reported it recently. */
  curve: Curve | null
  /** The maker's live quotes in the loan token, the newest 500. */
  book: BookedQuote[]
  /** Exposure by series in the loan token. Null until the positions have been read. */
  exposure: SeriesExposure[] | null
  /** Auctions since the daemon's start, newest first, at most 100. */
  recentAuctions: RecentAuction[]
}

const maxBookedQuotes = 500

/** Converts live quotes for a pricer. */
export function describeBook(live: readonly OutstandingQuote[]): BookedQuote[] {
  return live.slice(-maxBookedQuotes).map(({ quote }) => {
    const { poolId, seriesKey, notional, vrtAmount, deadline } = quote
    return { poolId, seriesKey, notional, vrtAmount, deadline }
  })
}

/** Sums the exposure by series. `positions` are the maker's own, in one loan token. */
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

/** Describes an auction for a pricer. Null if the maker did not quote. */
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

/** A pool's curve as the service reports it. */
export type PublishedCurve = Omit<Curve, 'readAt'> & { poolId: Hex }
