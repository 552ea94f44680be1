import type { PublicRfqId, Rejection, RFQ, RFQBroadcast, RFQStreamEvent, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AuctionOutcome } from './auctionOutcome.ts'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from './auctionRecord.ts'
import type { BackerEntries, CandidateQuote } from './backerEntries.ts'

/**
 * The state of one auction on one instance. Immutable. Acceptances and the end follow from the auction's rows in the
 * store; attempts and quotes without a verdict are known to this instance only.
 */
export type AuctionState = {
  /** `closing` lasts from the deadline until the store has answered. */
  phase: 'open' | 'closing' | 'closed'
  rfq: RFQ
  publicRfqId: PublicRfqId
  /** How many distinct backers were connected when it was opened. */
  backers: number
  /** Shortest and longest lifetime of a quote, in seconds. */
  lifetime: QuoteLifetime
  entries: BackerEntries
  accepted: Accepted | null
  /** The number of known rows, which is the `seq` of the newest. */
  acceptedCount: number
  rejectedCount: number
  /** Submissions that wait for the chain. */
  judging: number
  close: AuctionClose | null
}

export type QuoteLifetime = { min: number; max: number }

/** The accepted quotes, newest first: a linked list that shares its tail with earlier states. */
export type Accepted = { quote: AcceptedQuote; earlier: Accepted | null }

/** The store's answer to a quote. */
export type AcceptAnswer =
  | { status: 'accepted'; seq: number; receivedAt: number }
  | { status: 'closed'; closedAt: number }
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }
  /** The write failed, and the quote is not stored. */
  | { status: 'failed' }
  /** The quote may be stored or not; the write is repeated. */
  | { status: 'unknown' }

/** An event of an auction: a submission, an answer of the chain or the store, or a timeout. */
export type AuctionEvent =
  /**
   * The row exists. `announced` is true for a new auction, whose backers must be notified, and false for one that is
   * joined.
   */
  | { type: 'opened'; record: AuctionRecord; lifetime: QuoteLifetime; announced: boolean }
  /**
   * `submission` numbers this instance's submissions. `arrival` is Unix microseconds of the auction's time and grows
   * with every submission. `now` is the wall clock in Unix seconds, for the deadline.
   */
  | {
      type: 'quoteSubmitted'
      submission: number
      backer: Address
      quote: SignedQuote
      hash: Hex
      arrival: number
      now: bigint
    }
  /** The chain's verdict on the pending quote `id`. */
  | { type: 'quoteJudged'; id: number; backer: Address; rejection: Rejection | null; unproven?: true }
  | { type: 'acceptAnswered'; id: number; backer: Address; answer: AcceptAnswer }
  /** The outcome of a write has been unknown for too long. */
  | { type: 'acceptOverdue'; id: number; backer: Address }
  /** The rows as currently stored. */
  | { type: 'rowsRead'; record: AuctionRecord }
  | { type: 'deadlineReached' }
  /** The store's answer to a close; null before the deadline by the store's clock. */
  | { type: 'closeAnswered'; answer: { closedNow: boolean; auction: AuctionRecord } | null }
  | { type: 'closeFailed' }
  /** The close has been failing for too long. */
  | { type: 'closeOverdue' }

/** The effects of an event, to perform in this order. */
export type AuctionEffect =
  | { type: 'broadcast'; subject: 'rfq'; rfq: RFQBroadcast }
  | { type: 'broadcast'; subject: 'auction_result'; outcome: AuctionOutcome }
  /** Judge the quote on the chain, then apply `quoteJudged`. */
  | { type: 'judge'; id: number; backer: Address; candidate: CandidateQuote }
  /** Write the quote, then apply `acceptAnswered`; after a pause if `repeated`. */
  | { type: 'accept'; id: number; backer: Address; candidate: CandidateQuote; repeated: boolean }
  | { type: 'ack'; submission: number; verdict: AuctionVerdict }
  | { type: 'emit'; event: RFQStreamEvent }
  /** Read the rows, then apply `rowsRead`. */
  | { type: 'readRows' }
  /** Write the close, then apply `closeAnswered` or `closeFailed`; after a pause if `repeated`. */
  | { type: 'close'; rejectedCount: number; repeated: boolean }
  /** The last effect of an auction. */
  | { type: 'end'; record: AuctionRecord; outcome: AuctionOutcome }

/** The answer to one submission. */
export type AuctionVerdict =
  | { ok: true; value: { hash: Hex; receivedAt: number; closesAt: number } }
  | { ok: false; rejection: Rejection }

/** The next state and the effects of the event. */
export type AuctionStep = { state: AuctionState | null; effects: AuctionEffect[] }

/** The rows known to this instance. */
export function knownRecord({ rfq, publicRfqId, backers, accepted, close }: AuctionState): AuctionRecord {
  const quotes: AcceptedQuote[] = []
  for (let next = accepted; next !== null; next = next.earlier) quotes.push(next.quote)
  return { rfq, publicRfqId, backers, quotes: quotes.reverse(), close }
}
