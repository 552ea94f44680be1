import type { PublicRfqId, QuoteOutcome } from '@firmquote/core'
import type { Hex } from 'viem'
import { type AcceptedQuote, type AuctionClose, type AuctionRecord, rankQuotes } from './auctionRecord.ts'

/** An auction's outcome. Each backer receives only its own entry in `backers`. */
export type AuctionOutcome = {
  rfqId: PublicRfqId
  closedAt: number
  quoteCount: number
  /** One entry per backer that quoted, by lower-case address; `hash` is present if the quote is in the result. */
  backers: Record<string, { outcome: QuoteOutcome; hash?: Hex }>
}

/** Why a backer's quote is missing from the result, by lower-case backer address. */
export type MissedQuotes = ReadonlyMap<string, 'late' | 'rejected'>

/** Creates a closed auction's outcome for its backers. */
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

/** A closed auction's quote with its outcome. */
export type RankedOutcome = { accepted: AcceptedQuote; outcome: Extract<QuoteOutcome, 'best' | 'close' | 'beaten'> }

/** The lowest rank that counts as `close`. */
const closeRanks = 5

/**
 * Ranks a closed auction's quotes, best first. Quotes that do not count towards `best` rank last and are never `best`;
 * otherwise, contracts that need not pay could outrank all other makers.
 */
export function rankOutcomes(quotes: readonly AcceptedQuote[]): RankedOutcome[] {
  const ranked = rankQuotes(quotes)
  return [...ranked.filter(isCounted), ...ranked.filter((quote) => !isCounted(quote))].map((accepted, index) => ({
    accepted,
    outcome: index === 0 && isCounted(accepted) ? 'best' : index < closeRanks ? 'close' : 'beaten',
  }))
}

/**
 * Whether a quote counts towards `best`: its maker must be proven, and its price must be below the most it can ever
 * pay.
 */
function isCounted({ quote, unproven }: AcceptedQuote): boolean {
  return !unproven && quote.vrtAmount < quote.notional
}
