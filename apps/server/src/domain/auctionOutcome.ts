import type { PublicRfqId, QuoteOutcome } from '@firmquote/core'
import type { Hex } from 'viem'
import { type AcceptedQuote, type AuctionClose, type AuctionRecord, rankQuotes } from './auctionRecord.ts'

/** The outcome as it goes to the backers, each of which gets only its own entry of `backers`. */
export type AuctionOutcome = {
  rfqId: PublicRfqId
  closedAt: number
  quoteCount: number
  /** Of those that have quoted, by lower-case address; `hash` where the quote is in the result. */
  backers: Record<string, { outcome: QuoteOutcome; hash?: Hex }>
}

/** Why backers that have quoted have no quote in the result, by lower-case address. */
export type MissedQuotes = ReadonlyMap<string, 'late' | 'rejected'>

/** What the backers are told of a closed auction. */
export function auctionOutcome(
  { publicRfqId, quotes }: AuctionRecord,
  { closedAt }: AuctionClose,
  missed: MissedQuotes = new Map(),
): AuctionOutcome {
  const backers = Object.fromEntries<AuctionOutcome['backers'][string]>([
    ...[...missed].map(([backer, outcome]) => [backer, { outcome }] as const),
    // What is in the result was accepted, whatever became of the same backer's other quotes.
    ...rankOutcomes(quotes).map(
      ({ accepted: { hash, quote }, outcome }) => [quote.maker.toLowerCase(), { outcome, hash }] as const,
    ),
  ])
  return { rfqId: publicRfqId, closedAt, quoteCount: quotes.length, backers }
}

/** A quote of a closed auction and how it has fared. */
export type RankedOutcome = { accepted: AcceptedQuote; outcome: Extract<QuoteOutcome, 'best' | 'close' | 'beaten'> }

/** The last rank that is still `close`. */
const closeRanks = 5

/**
 * How each quote of a closed auction has fared, best first. Quotes that do not count in `best` come behind those that do, and
 * are never `best`: otherwise contracts that need not pay would take the first place from everyone.
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
