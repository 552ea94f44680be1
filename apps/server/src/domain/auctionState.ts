import type { PublicRfqId, Rejection, RFQ, RFQBroadcast, RFQStreamEvent, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AuctionOutcome } from './auctionOutcome.ts'
import type { AcceptedQuote, AuctionClose, AuctionRecord } from './auctionRecord.ts'
import type { BackerEntries, CandidateQuote } from './backerEntries.ts'

/**
 * One auction as one instance of the service sees it. Immutable. What was accepted and how it ended follows from the
 * auction's rows in the store; the rest (attempts, quotes without a verdict) is this instance's own.
 */
export type AuctionState = {
  /** `closing` is from the deadline until the store has answered. */
  phase: 'open' | 'closing' | 'closed'
  rfq: RFQ
  publicRfqId: PublicRfqId
  /** How many distinct backers were connected when it was opened. */
  backers: number
  /** Shortest and longest lifetime of a quote, in seconds. */
  lifetime: QuoteLifetime
  entries: BackerEntries
  accepted: Accepted | null
  /** How many rows are known: the `seq` of the newest. */
  acceptedCount: number
  rejectedCount: number
  /** How many submissions wait for the chain. */
  judging: number
  close: AuctionClose | null
}

export type QuoteLifetime = { min: number; max: number }

/** The accepted quotes, newest first: a linked list that shares its tail with the states before. */
export type Accepted = { quote: AcceptedQuote; earlier: Accepted | null }

/** What the store has answered to a quote that was to be accepted. */
export type AcceptAnswer =
  | { status: 'accepted'; seq: number; receivedAt: number }
  | { status: 'closed'; closedAt: number }
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }
  /** Nothing was stored. */
  | { status: 'failed' }
  /** It may be stored or not; the store is asked again. */
  | { status: 'unknown' }

/** An event of an auction: what backers send, what chain and store have answered, and what time has come. */
export type AuctionEvent =
  /** Its row is there: it was opened now (`announced`: backers are to be told), or is taken up again. */
  | { type: 'opened'; record: AuctionRecord; lifetime: QuoteLifetime; announced: boolean }
  /**
   * `submission` numbers what this instance receives; `arrival` is Unix microseconds of the auction's time and grows with
   * every submission; `now` is the wall clock in Unix seconds, for the deadline.
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
  /** The chain's verdict; `id` is that of the pending quote. */
  | { type: 'quoteJudged'; id: number; backer: Address; rejection: Rejection | null; unproven?: true }
  | { type: 'acceptAnswered'; id: number; backer: Address; answer: AcceptAnswer }
  /** It has been unknown for too long whether the quote is stored. */
  | { type: 'acceptOverdue'; id: number; backer: Address }
  /** The rows as the store has them now. */
  | { type: 'rowsRead'; record: AuctionRecord }
  | { type: 'deadlineReached' }
  /** The store's answer to a close; null when it says that the time is not over. */
  | { type: 'closeAnswered'; answer: { closedNow: boolean; auction: AuctionRecord } | null }
  | { type: 'closeFailed' }
  /** The close has failed for too long. */
  | { type: 'closeOverdue' }

/** The effects of an event, to be performed in this order. */
export type AuctionEffect =
  | { type: 'broadcast'; subject: 'rfq'; rfq: RFQBroadcast }
  | { type: 'broadcast'; subject: 'auction_result'; outcome: AuctionOutcome }
  /** Judge the quote on the chain, then apply `quoteJudged`. */
  | { type: 'judge'; id: number; backer: Address; candidate: CandidateQuote }
  /** Have the store accept the quote, then apply `acceptAnswered`; a `repeated` one after a pause. */
  | { type: 'accept'; id: number; backer: Address; candidate: CandidateQuote; repeated: boolean }
  | { type: 'ack'; submission: number; verdict: AuctionVerdict }
  | { type: 'emit'; event: RFQStreamEvent }
  /** Read the rows, then apply `rowsRead`. */
  | { type: 'readRows' }
  /** Have the store close the auction, then apply `closeAnswered` or `closeFailed`; a `repeated` one after a pause. */
  | { type: 'close'; rejectedCount: number; repeated: boolean }
  /** Nothing more will happen. */
  | { type: 'end'; record: AuctionRecord; outcome: AuctionOutcome }

/** The answer to one submission. */
export type AuctionVerdict =
  | { ok: true; value: { hash: Hex; receivedAt: number; closesAt: number } }
  | { ok: false; rejection: Rejection }

/** The next state and the effects of the event. */
export type AuctionStep = { state: AuctionState | null; effects: AuctionEffect[] }

/** The rows as this instance knows them. */
export function knownRecord({ rfq, publicRfqId, backers, accepted, close }: AuctionState): AuctionRecord {
  const quotes: AcceptedQuote[] = []
  for (let next = accepted; next !== null; next = next.earlier) quotes.push(next.quote)
  return { rfq, publicRfqId, backers, quotes: quotes.reverse(), close }
}
