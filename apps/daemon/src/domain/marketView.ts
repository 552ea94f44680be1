import type { AuctionResultMessage, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import type { Hex } from 'viem'
import type { OutstandingQuote } from './exposure.ts'

/** What a pool pays, as the service told it last: for prices to look at, never for the limits. */
export type Curve = {
  /** Unix seconds, by this machine's clock. */
  readAt: number
  /** The pool's floating borrow rate, WAD (1e18 = 100 %) per second. */
  floatingRatePerSec: bigint
  series: {
    seriesKey: Hex
    /** Unix seconds. */
    expiry: number
    /** The best fixed rate that anyone quotes, simple APR in WAD; null without a quote. */
    bestApr: bigint | null
    /** The notional that can be fixed now, and that the series can still take. Raw loan-token units. */
    depth: bigint
    capacity: bigint
  }[]
}

/** A quote of the maker that can still be taken. Amounts in raw loan-token units. */
export type BookedQuote = {
  poolId: Hex
  seriesKey: Hex
  notional: bigint
  vrtAmount: bigint
  /** Unix seconds. */
  deadline: bigint
}

/** What the maker has at stake in a series. Raw loan-token units. */
export type SeriesExposure = {
  seriesKey: Hex
  /** The notional of its positions as a maker that are not settled. */
  open: bigint
  /** The notional of its quotes that can still be taken. */
  quoted: bigint
}

/** An auction that the maker took part in. */
export type RecentAuction = {
  rfqId: PublicRfqId
  poolId: Hex
  seriesKey: Hex
  /** What was asked for, raw loan-token units. */
  notional: bigint
  /** What became of its quote: `best` was ranked first. */
  outcome: NonNullable<AuctionResultMessage['outcome']>
  /** The quotes of all makers. */
  quoteCount: number
  /** Unix milliseconds, by the service's clock. */
  closedAt: number
}

/** What a pricer sees of the market and of the maker, beside the RFQ. */
export type MarketView = {
  /** Of the RFQ's pool; null as long as the service has not told it, or not lately. */
  curve: Curve | null
  /** The maker's quotes in the loan token, the newest 500. */
  book: BookedQuote[]
  /** By series, in the loan token; null as long as the positions have not been read. */
  exposure: SeriesExposure[] | null
  /** The newest first; at most 100, since the daemon's start. */
  recentAuctions: RecentAuction[]
}

const mostBooked = 500

/** The quotes as a pricer sees them. */
export function describeBook(live: readonly OutstandingQuote[]): BookedQuote[] {
  return live.slice(-mostBooked).map(({ quote }) => {
    const { poolId, seriesKey, notional, vrtAmount, deadline } = quote
    return { poolId, seriesKey, notional, vrtAmount, deadline }
  })
}

/** Adds up what is at stake by series. `positions` are the maker's own, in one loan token. */
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

/** An auction as a pricer sees it; null of one without a quote of the maker. */
export function describeAuction(rfq: RFQBroadcast, result: AuctionResultMessage): RecentAuction | null {
  const { own, quoteCount, closedAt } = result
  if (!own) return null
  const outcome = result.outcome ?? outcomeOf(own.rank)
  const { rfqId, poolId, seriesKey, notional } = rfq
  return outcome && { rfqId, poolId, seriesKey, notional, outcome, quoteCount, closedAt }
}

/** Services before the outcome tell the rank. */
function outcomeOf(rank: number | undefined): RecentAuction['outcome'] | null {
  if (rank === undefined) return null
  return rank === 1 ? 'best' : rank <= 5 ? 'close' : 'beaten'
}

/** What the service tells of a pool. */
export type PublishedCurve = Omit<Curve, 'readAt'> & { poolId: Hex }
