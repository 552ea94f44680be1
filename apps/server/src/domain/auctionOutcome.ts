import type { PublicRfqId, QuoteOutcome } from '@firmquote/core'
import type { Hex } from 'viem'
import { type AcceptedQuote, type AuctionClose, type AuctionRecord, rankQuotes } from './auctionRecord.ts'

/** The outcome of an auction. Each backer receives only its entry of `backers`. */
export type AuctionOutcome = {
  rfqId: PublicRfqId
  closedAt: number
  quoteCount: number
  /** By lower-case address of the backers that quoted; `hash` if the quote is in the result. */
  backers: Record<string, { outcome: QuoteOutcome; hash?: Hex }>
}

/** The reason why a backer that quoted is not in the result, by lower-case address. */
export type MissedQuotes = ReadonlyMap<string, 'late' | 'rejected'>

/** Creates the outcome of a closed auction for its backers. */
export function auctionOutcome(
  { publicRfqId, quotes }: AuctionRecord,
  { closedAt }: AuctionClose,
  missed: MissedQuotes = new Map(),
): AuctionOutcome {
  const backers = Object.fromEntries<AuctionOutcome['backers'][string]>([
    ...[...missed].map(([backer, outcome]) => [backer, { outcome }] as const),
    // A quote in the result takes precedence over the backer's other quotes.
    ...rankOutcomes(quotes).map(
      ({ accepted: { hash, quote }, outcome }) => [quote.maker.toLowerCase(), { outcome, hash }] as const,
    ),
  ])
  return { rfqId: publicRfqId, closedAt, quoteCount: quotes.length, backers }
}

/** A quote of a closed auction with its outcome. */
export type RankedOutcome = { accepted: AcceptedQuote; outcome: Extract<QuoteOutcome, 'best' | 'close' | 'beaten'> }

/** The last rank that is still `close`. */
const closeRanks = 5

/**
 * Ranks the quotes of a closed auction, best first. Quotes that do not count in `best` rank last and are never `best`;
 * otherwise contracts that need not pay would take first place from everyone.
 */
export function rankOutcomes(quotes: readonly AcceptedQuote[]): RankedOutcome[] {
  const ranked = rankQuotes(quotes)
  return [...ranked.filter(isCounted), ...ranked.filter((quote) => !isCounted(quote))].map((accepted, index) => ({
    accepted,
    outcome: index === 0 && isCounted(accepted) ? 'best' : index < closeRanks ? 'close' : 'beaten',
  }))
}

/** Whether a quote counts in `best`: its maker is proven, and it costs less than it can ever pay. */
function isCounted({ quote, unproven }: AcceptedQuote): boolean {
  return !unproven && quote.vrtAmount < quote.notional
}
