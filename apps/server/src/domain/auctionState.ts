import type { PublicRfqId, Rejection, RFQ, RFQBroadcast, RFQStreamEvent, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { AuctionOutcome } from './auctionOutcome.ts'
import type { AcceptedQuote, AuctionClose, AuctionRecord, QuoteBlock } from './auctionRecord.ts'
import type { AcceptedEntry, BackerEntries, CandidateQuote } from './backerEntries.ts'

/**
 * One auction's state on one instance. Immutable. The store's rows determine which quotes were accepted and how the
 * auction ended. Only this instance knows about attempts and quotes without a verdict.
 */
export type AuctionState = {
  /** `closing` lasts from the deadline until the store answers. */
  phase: 'open' | 'closing' | 'closed'
  rfq: RFQ
  publicRfqId: PublicRfqId
  /** The number of distinct backers connected when the auction opened. */
  backers: number
  /** Minimum and maximum lifetime of a quote, in seconds. */
  lifetime: QuoteLifetime
  entries: BackerEntries
  accepted: Accepted | null
  /** Number of known rows, which is also the newest row's `seq`. */
  acceptedCount: number
  rejectedCount: number
  /** Number of submissions whose verdict from the chain is pending. */
  judging: number
  /** Whether attempts to write the close have failed for so long that pending submissions were answered. */
  isCloseOverdue: boolean
  close: AuctionClose | null
}

export type QuoteLifetime = { min: number; max: number }

/** The accepted quotes, newest first: a linked list that shares its tail with the lists of earlier states. */
export type Accepted = { quote: AcceptedQuote; earlier: Accepted | null }

/** The store's answer to an attempt to write a quote. */
export type AcceptAnswer =
  /** `leaf` is the hash of the quote's leaf, if this attempt stored the quote and the auction is provable. */
  | { status: 'accepted'; seq: number; receivedAt: number; leaf?: Hex }
  | { status: 'closed'; closedAt: number }
  | { status: 'quoted'; hash: Hex }
  | { status: 'unknown_auction' }
  /** The write failed, and the quote is not stored. */
  | { status: 'failed' }
  /** The quote may or may not be stored; the write is retried. */
  | { status: 'unknown' }

/** An event in an auction: a submission, an answer from the chain or the store, or a timeout. */
export type AuctionEvent =
  /**
   * The row exists. `announced` is true for a new auction, whose backers must be notified, and false for one that was
   * joined.
   */
  | { type: 'opened'; record: AuctionRecord; lifetime: QuoteLifetime; announced: boolean }
  /**
   * `submission` numbers this instance's submissions. `arrival`, in Unix microseconds of auction time, increases with
   * every submission. `now` is the wall clock in Unix seconds, used to check the deadline.
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
  /** The chain's verdict on the pending quote `id`, as of `block`. */
  | {
      type: 'quoteJudged'
      id: number
      backer: Address
      rejection: Rejection | null
      unproven?: true
      block?: QuoteBlock
    }
  | { type: 'acceptAnswered'; id: number; backer: Address; answer: AcceptAnswer }
  /** The outcome of a write has been unknown for too long. */
  | { type: 'acceptOverdue'; id: number; backer: Address }
  /** The rows as currently stored. */
  | { type: 'rowsRead'; record: AuctionRecord }
  | { type: 'deadlineReached' }
  /** The store's answer to an attempt to close; null if the auction is unknown. */
  | { type: 'closeAnswered'; answer: { closedNow: boolean; auction: AuctionRecord } | null }
  | { type: 'closeFailed' }
  /** Attempts to write the close have failed for too long. */
  | { type: 'closeOverdue' }

/** An event's effects, to be performed in this order. */
export type AuctionEffect =
  | { type: 'broadcast'; subject: 'rfq'; rfq: RFQBroadcast }
  | { type: 'broadcast'; subject: 'auction_result'; outcome: AuctionOutcome }
  /** Judge the quote on the chain, then apply `quoteJudged`. */
  | { type: 'judge'; id: number; backer: Address; candidate: CandidateQuote }
  /** Write the quote (after a pause if `repeated`), then apply `acceptAnswered`. */
  | { type: 'accept'; id: number; backer: Address; candidate: CandidateQuote; repeated: boolean }
  | { type: 'ack'; submission: number; verdict: AuctionVerdict }
  | { type: 'emit'; event: RFQStreamEvent }
  /** Read the rows, then apply `rowsRead`. */
  | { type: 'readRows' }
  /** Write the close (after a pause if `repeated`), then apply `closeAnswered` or `closeFailed`. */
  | { type: 'close'; rejectedCount: number; repeated: boolean }
  /** An auction's last effect. */
  | { type: 'end'; record: AuctionRecord; outcome: AuctionOutcome }

/** The answer to one submission. `block` is the one at which the chain's verdict refused the quote. */
export type AuctionVerdict =
  | { ok: true; value: AcceptedEntry & { closesAt: number } }
  | { ok: false; rejection: Rejection; block?: QuoteBlock }

/** The next state and the event's effects. */
export type AuctionStep = { state: AuctionState | null; effects: AuctionEffect[] }

/** The rows known to this instance. */
export function knownRecord({ rfq, publicRfqId, backers, accepted, close }: AuctionState): AuctionRecord {
  const quotes: AcceptedQuote[] = []
  for (let next = accepted; next !== null; next = next.earlier) quotes.push(next.quote)
  return { rfq, publicRfqId, backers, quotes: quotes.reverse(), close }
}
