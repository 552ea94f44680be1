import {
  type CollectedQuote,
  comparePrices,
  type RFQAuctionEvent,
  type RFQProgress,
  type RFQResult,
} from '@firmquote/sdk'

/**
 * An auction, in the same shape as the response of `GET /rfq/:id`. `progress` counts the makers that have answered. It
 * is absent until the stream has sent it.
 */
export type AuctionState = RFQResult & { progress?: RFQProgress }

/**
 * Applies a stream event to an auction. Pure.
 *
 * @param auction The auction before the event. Undefined before `started`.
 */
export function foldAuction(auction: AuctionState | undefined, event: RFQAuctionEvent): AuctionState | undefined {
  if (event.type === 'started') {
    const opened: RFQResult = { ...event.data, status: 'open', closedAt: null, rejectedCount: 0, quotes: [] }
    return mergeAuctions(auction, opened)
  }
  if (!auction) return undefined
  if (event.type === 'quote') return { ...auction, quotes: rankQuotes([...auction.quotes, event.data]) }
  if (event.type === 'progress') return { ...auction, progress: event.data }
  const { closedAt, rejectedCount, interrupted } = event.data
  return { ...auction, status: 'closed', closedAt, rejectedCount, ...(interrupted && { interrupted }) }
}

/**
 * Merges two states of an auction, in any order. The order is unknown, because a response may be older than the
 * stream's latest events. Keeps all quotes and never reopens a closed auction. Pure.
 */
export function mergeAuctions(known: AuctionState | undefined, heard: RFQResult): AuctionState {
  if (!known) return heard
  return {
    ...(known.progress && { progress: known.progress }),
    ...(known.status === 'closed' ? known : heard),
    rejectedCount: Math.max(known.rejectedCount, heard.rejectedCount),
    quotes: rankQuotes([...known.quotes, ...heard.quotes]),
  }
}

/** Removes duplicates and sorts quotes as the service does: best first, with ties in order of arrival. */
function rankQuotes(quotes: readonly CollectedQuote[]): CollectedQuote[] {
  const byHash = new Map(quotes.map((quote) => [quote.hash, quote]))
  return [...byHash.values()].sort((a, b) => comparePrices(a.quote, b.quote) || a.receivedAt - b.receivedAt)
}
