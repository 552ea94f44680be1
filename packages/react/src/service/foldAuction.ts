import { type CollectedQuote, comparePrices, type RFQAuctionEvent, type RFQResult } from '@firmquote/sdk'

/**
 * What is known of an auction after one more event of its stream: the same record that `GET /rfq/:id` answers with. Pure.
 *
 * @param auction what was known before; nothing before `started`.
 */
export function foldAuction(auction: RFQResult | undefined, event: RFQAuctionEvent): RFQResult | undefined {
  if (event.type === 'started') {
    const opened: RFQResult = { ...event.data, status: 'open', closedAt: null, rejectedCount: 0, quotes: [] }
    return mergeAuctions(auction, opened)
  }
  if (!auction) return undefined
  if (event.type === 'quote') return { ...auction, quotes: rankQuotes([...auction.quotes, event.data]) }
  const { closedAt, rejectedCount, interrupted } = event.data
  return { ...auction, status: 'closed', closedAt, rejectedCount, ...(interrupted && { interrupted }) }
}

/**
 * Merges two states of one auction, in whatever order they came: an answer may be older than what the stream has sent
 * meanwhile. No quote is ever lost, and a closed auction does not open again. Pure.
 */
export function mergeAuctions(known: RFQResult | undefined, heard: RFQResult): RFQResult {
  if (!known) return heard
  return {
    ...(known.status === 'closed' ? known : heard),
    rejectedCount: Math.max(known.rejectedCount, heard.rejectedCount),
    quotes: rankQuotes([...known.quotes, ...heard.quotes]),
  }
}

/** Each quote once, best first exactly as the service ranks them: a tie goes to the earlier arrival. */
function rankQuotes(quotes: readonly CollectedQuote[]): CollectedQuote[] {
  const byHash = new Map(quotes.map((quote) => [quote.hash, quote]))
  return [...byHash.values()].sort((a, b) => comparePrices(a.quote, b.quote) || a.receivedAt - b.receivedAt)
}
