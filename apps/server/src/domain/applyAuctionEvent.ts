import {
  type CollectedQuote,
  judgeTerms,
  quoteApr,
  type Rejection,
  type RFQ,
  type RFQStreamEvent,
  type SignedQuote,
  toPublicRfqId,
} from '@firmquote/core'
import type { Hex } from 'viem'
import {
  type AuctionEvent,
  type AuctionOutcome,
  type AuctionState,
  type AuctionStep,
  auctionResult,
  rankedQuotes,
} from './auctionState.ts'
import { entryOf, noEntries, withEntry } from './backerEntries.ts'

/** How many submissions of one backer may be judged and rejected; further ones are refused. */
export const maxAttempts = 3

/**
 * Applies one event to an auction. Pure: the same events give the same states and effects. An event that does not apply
 * to the state (a second opening, a second close, an unknown verdict) changes nothing.
 *
 * @param state null before the opening.
 */
export function applyAuctionEvent(state: AuctionState | null, event: AuctionEvent): AuctionStep {
  if (state === null) return event.type === 'opened' ? open(event) : { state, effects: [] }
  switch (event.type) {
    case 'opened':
      return { state, effects: [] }
    case 'quoteSubmitted':
      return submit(state, event)
    case 'quoteJudged':
      return applyVerdict(state, event)
    case 'deadlineReached':
    case 'aborted':
      return close(state, event)
  }
}

function open(event: Extract<AuctionEvent, { type: 'opened' }>): AuctionStep {
  const { rfq, publicId, backers, lifetime } = event
  const state: AuctionState = {
    phase: 'open',
    rfq,
    publicId,
    backers,
    lifetime,
    entries: noEntries,
    accepted: null,
    acceptedCount: 0,
    rejectedCount: 0,
    judging: 0,
    emitted: 1,
    closedAt: null,
  }
  return {
    state,
    effects: [
      { type: 'emit', event: { type: 'started', id: `${rfq.rfqId}:0`, data: { ...rfq, backers } } },
      { type: 'broadcast', subject: 'rfq', rfq: { ...rfq, rfqId: toPublicRfqId(publicId) } },
    ],
  }
}

function submit(state: AuctionState, event: Extract<AuctionEvent, { type: 'quoteSubmitted' }>): AuctionStep {
  const { submission, backer, quote, hash, at, now } = event
  const reject = (rejection: Rejection, next = state): AuctionStep => ({
    state: { ...next, rejectedCount: next.rejectedCount + 1 },
    effects: [{ type: 'ack', submission, verdict: { ok: false, rejection } }],
  })
  // The result has been published with the count of the close, so the state stays as it is.
  if (state.closedAt !== null) return { ...reject({ code: 'AUCTION_CLOSED', closedAt: state.closedAt }), state }

  const entry = entryOf(state.entries, backer)
  if (entry.accepted !== null || entry.judging !== null || entry.attempts >= maxAttempts) {
    return reject({ code: 'ALREADY_QUOTED', hash: entry.accepted })
  }
  const rejection = judgeSubmission(state, event, now)
  if (rejection) {
    return reject(rejection, {
      ...state,
      entries: withEntry(state.entries, backer, { ...entry, attempts: entry.attempts + 1 }),
    })
  }
  const judging = { submission, hash, receivedAt: at }
  return {
    state: {
      ...state,
      entries: withEntry(state.entries, backer, { ...entry, judging }),
      judging: state.judging + 1,
    },
    effects: [{ type: 'judge', submission, backer, collected: collect(state.rfq, quote, judging) }],
  }
}

function judgeSubmission(
  { rfq, lifetime }: AuctionState,
  { backer, quote }: Extract<AuctionEvent, { type: 'quoteSubmitted' }>,
  now: bigint,
): Rejection | null {
  const { poolId, seriesKey, notional, maxVrtAmount, taker } = rfq
  const terms = {
    maker: backer,
    poolId,
    seriesKey,
    notional,
    lifetime,
    ...(maxVrtAmount === undefined ? {} : { maxVrtAmount }),
    ...(taker === undefined ? {} : { taker }),
  }
  const rejection = judgeTerms(quote, terms, now)
  if (rejection) return rejection
  // The contract's reason; no rate can be computed without a notional.
  return quote.notional === 0n ? { code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' } : null
}

function applyVerdict(state: AuctionState, event: Extract<AuctionEvent, { type: 'quoteJudged' }>): AuctionStep {
  const { submission, backer, quote, rejection } = event
  const entry = entryOf(state.entries, backer)
  const { judging } = entry
  if (judging === null || judging.submission !== submission) return { state, effects: [] }

  const reject = (reason: Rejection, counted: number): AuctionStep => ({
    state: {
      ...state,
      entries: withEntry(state.entries, backer, {
        ...entry,
        judging: null,
        attempts: entry.attempts + (isServiceFault(reason) ? 0 : 1),
      }),
      judging: state.judging - 1,
      rejectedCount: state.rejectedCount + counted,
    },
    effects: [{ type: 'ack', submission, verdict: { ok: false, rejection: reason } }],
  })
  // What was still being judged at the close was counted as rejected then.
  if (state.closedAt !== null) return reject({ code: 'AUCTION_CLOSED', closedAt: state.closedAt }, 0)
  if (rejection) return reject(rejection, 1)

  const collected = collect(state.rfq, quote, judging)
  const { hash, receivedAt } = collected
  return {
    state: {
      ...state,
      entries: withEntry(state.entries, backer, { ...entry, judging: null, accepted: hash }),
      accepted: { quote: collected, maker: backer, submission, earlier: state.accepted },
      acceptedCount: state.acceptedCount + 1,
      judging: state.judging - 1,
      emitted: state.emitted + 1,
    },
    effects: [
      { type: 'ack', submission, verdict: { ok: true, value: { hash, receivedAt, closesAt: state.rfq.closesAt } } },
      { type: 'emit', event: { type: 'quote', id: `${state.rfq.rfqId}:${state.emitted}`, data: collected } },
    ],
  }
}

function close(
  state: AuctionState,
  event: Extract<AuctionEvent, { type: 'deadlineReached' | 'aborted' }>,
): AuctionStep {
  if (state.closedAt !== null) return { state, effects: [] }
  const closed: AuctionState = {
    ...state,
    phase: 'closed',
    closedAt: event.at,
    rejectedCount: state.rejectedCount + state.judging,
    emitted: state.emitted + 1,
  }
  const result = auctionResult(closed)
  const ranking = rankedQuotes(closed)
  const id = `${state.rfq.rfqId}:${state.emitted}`
  const lastEvent: RFQStreamEvent =
    event.type === 'aborted'
      ? { type: 'error', id, data: { code: event.code, message: event.message } }
      : {
          type: 'done',
          id,
          data: {
            rfqId: state.rfq.rfqId,
            closedAt: event.at,
            quoteCount: ranking.length,
            rejectedCount: closed.rejectedCount,
            ranking: ranking.map(({ quote }) => quote.hash),
          },
        }
  const outcome: AuctionOutcome = {
    rfqId: state.publicId,
    closedAt: event.at,
    quoteCount: ranking.length,
    own: Object.fromEntries(
      ranking.map(({ quote, maker }, index) => [maker.toLowerCase(), { hash: quote.hash, rank: index + 1 }]),
    ),
  }
  return {
    state: closed,
    effects: [
      { type: 'record', result },
      { type: 'emit', event: lastEvent },
      { type: 'broadcast', subject: 'auction_result', outcome },
      { type: 'close', result, aborted: event.type === 'aborted' },
    ],
  }
}

function collect(
  rfq: RFQ,
  quote: SignedQuote,
  { hash, receivedAt }: { hash: Hex; receivedAt: number },
): CollectedQuote {
  // The chain decides whether the series has ended; with a clock that is ahead there must still be a second to divide by.
  const at = Math.min(Math.floor(receivedAt / 1000), rfq.expiry - 1)
  return { hash, quote, apr: quoteApr(quote, rfq.expiry, at), receivedAt }
}

/** A rejection that the backer did not cause does not count as an attempt. */
function isServiceFault({ code }: Rejection): boolean {
  return code === 'CHAIN_UNAVAILABLE' || code === 'STORAGE_UNAVAILABLE' || code === 'OVERLOADED'
}
