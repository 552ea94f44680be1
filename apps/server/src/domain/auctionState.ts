import {
  type CollectedQuote,
  comparePrices,
  type Rejection,
  type RFQ,
  type RFQBroadcast,
  type RFQResult,
  type RFQStreamEvent,
  type SignedQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Slots } from './slots.ts'

/** Everything that has happened to one auction. Immutable. */
export type AuctionState = {
  phase: 'open' | 'closed'
  /** With the borrower's id. */
  rfq: RFQ
  publicId: string
  /** How many distinct backers were asked. */
  backers: number
  /** A quote's least and greatest lifetime, in seconds. */
  lifetime: { min: number; max: number }
  slots: Slots
  accepted: Accepted | null
  acceptedCount: number
  rejectedCount: number
  /** How many submissions are being judged. */
  judging: number
  /** How many events the borrower has been told. */
  emitted: number
  /** Unix milliseconds. */
  closedAt: number | null
}

/** The accepted quotes, newest first: a list that shares its tail with the states before. */
export type Accepted = { quote: CollectedQuote; maker: Address; submission: number; earlier: Accepted | null }

/**
 * What can happen to an auction. `at` is the auction's own time in Unix milliseconds: `openedAt` plus what a monotonic
 * clock has counted since, so that a jump of the wall clock shows nowhere.
 */
export type AuctionEvent =
  | { type: 'opened'; rfq: RFQ; publicId: string; backers: number; lifetime: { min: number; max: number } }
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
  /** The verdict of the chain and of the store: null only once the quote is on disk. */
  | { type: 'quoteJudged'; submission: number; backer: Address; quote: SignedQuote; rejection: Rejection | null }
  | { type: 'deadlineReached'; at: number }
  | { type: 'aborted'; at: number; code: string; message: string }

/** What backers are told at the close: to each only its own place. */
export type AuctionOutcome = {
  /** The public id. */
  rfqId: string
  closedAt: number
  quoteCount: number
  /** By lower-case address. */
  own: Record<string, { hash: Hex; rank: number }>
}

/** What the shell has to do, in this order. */
export type AuctionEffect =
  | { type: 'broadcast'; subject: 'rfq'; rfq: RFQBroadcast }
  | { type: 'broadcast'; subject: 'auction_result'; outcome: AuctionOutcome }
  /** Judge the quote on the chain, store it if it passes, then come back with `quoteJudged`. */
  | { type: 'judge'; submission: number; backer: Address; collected: CollectedQuote }
  | { type: 'ack'; submission: number; verdict: AuctionVerdict }
  | { type: 'emit'; event: RFQStreamEvent }
  | { type: 'record'; result: RFQResult }
  | { type: 'close'; result: RFQResult; aborted: boolean }

/** The answer to one submission. */
export type AuctionVerdict =
  | { ok: true; value: { hash: Hex; receivedAt: number; closesAt: number } }
  | { ok: false; rejection: Rejection }

/** The next state, and what follows from the step. */
export type AuctionStep = { state: AuctionState | null; effects: AuctionEffect[] }

/** An auction's outcome so far, its quotes best first. */
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

/** An auction's quotes, best first; of equal ones the earlier arrival, whichever was judged first. */
export function rankedQuotes(state: AuctionState): Accepted[] {
  const all: Accepted[] = []
  for (let next = state.accepted; next !== null; next = next.earlier) all.push(next)
  return all.sort((a, b) => comparePrices(a.quote.quote, b.quote.quote) || a.submission - b.submission)
}
