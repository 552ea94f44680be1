import {
  type CollectedQuote,
  comparePrices,
  type PublicRfqId,
  type Rejection,
  type RFQ,
  type RFQBroadcast,
  type RFQResult,
  type RFQStreamEvent,
  type SignedQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { BackerEntries } from './backerEntries.ts'

/** The state of one auction. Immutable. */
export type AuctionState = {
  phase: 'open' | 'closed'
  rfq: RFQ
  publicId: PublicRfqId
  /** How many distinct backers the RFQ was sent to. */
  backers: number
  /** Shortest and longest lifetime of a quote, in seconds. */
  lifetime: { min: number; max: number }
  entries: BackerEntries
  accepted: Accepted | null
  acceptedCount: number
  rejectedCount: number
  /** How many submissions are being judged. */
  judging: number
  /** How many events the borrower's stream has had. */
  emitted: number
  /** Unix milliseconds. */
  closedAt: number | null
}

/** The accepted quotes, newest first: a linked list that shares its tail with the states before. */
export type Accepted = { quote: CollectedQuote; maker: Address; submission: number; earlier: Accepted | null }

/**
 * An event of an auction. `at` is Unix milliseconds: `openedAt` plus the monotonic time since, so that a jump of the wall
 * clock has no effect.
 */
export type AuctionEvent =
  | { type: 'opened'; rfq: RFQ; publicId: PublicRfqId; backers: number; lifetime: { min: number; max: number } }
  /** `submission` grows with every arrival; `now` is the wall clock in Unix seconds, for the deadline. */
  | {
      type: 'quoteSubmitted'
      submission: number
      backer: Address
      quote: SignedQuote
      hash: Hex
      at: number
      now: bigint
    }
  /** The verdict of the chain and of the store; `rejection` is null only after the quote is on disk. */
  | { type: 'quoteJudged'; submission: number; backer: Address; quote: SignedQuote; rejection: Rejection | null }
  | { type: 'deadlineReached'; at: number }
  | { type: 'aborted'; at: number; code: string; message: string }

/** The outcome as it goes to the backers, each of which gets only its own entry of `own`. */
export type AuctionOutcome = {
  rfqId: PublicRfqId
  closedAt: number
  quoteCount: number
  /** By lower-case address. */
  own: Record<string, { hash: Hex; rank: number }>
}

/** The effects of an event, to be performed in this order. */
export type AuctionEffect =
  | { type: 'broadcast'; subject: 'rfq'; rfq: RFQBroadcast }
  | { type: 'broadcast'; subject: 'auction_result'; outcome: AuctionOutcome }
  /** Judge the quote on the chain, store it if it passes, then apply `quoteJudged`. */
  | { type: 'judge'; submission: number; backer: Address; collected: CollectedQuote }
  | { type: 'ack'; submission: number; verdict: AuctionVerdict }
  | { type: 'emit'; event: RFQStreamEvent }
  | { type: 'record'; result: RFQResult }
  | { type: 'close'; result: RFQResult; aborted: boolean }

/** The answer to one submission. */
export type AuctionVerdict =
  | { ok: true; value: { hash: Hex; receivedAt: number; closesAt: number } }
  | { ok: false; rejection: Rejection }

/** The next state and the effects of the event. */
export type AuctionStep = { state: AuctionState | null; effects: AuctionEffect[] }

/** The result of an auction so far, its quotes best first. */
export function auctionResult(state: AuctionState): RFQResult {
  const { rfq, phase, closedAt, backers, rejectedCount } = state
  return {
    ...rfq,
    status: phase,
    closedAt,
    backers,
    rejectedCount,
    quotes: rankedQuotes(state).map(({ quote }) => quote),
  }
}

/** The accepted quotes, best first; of equal prices the earlier arrival first, in whatever order they were judged. */
export function rankedQuotes(state: AuctionState): Accepted[] {
  const all: Accepted[] = []
  for (let next = state.accepted; next !== null; next = next.earlier) all.push(next)
  return all.sort((a, b) => comparePrices(a.quote.quote, b.quote.quote) || a.submission - b.submission)
}
