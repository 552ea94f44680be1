// Long because one reducer handles every event, and its helpers are private to it.

import { type Rejection, toPublicRfqId } from '@firmquote/core'
import { formatEventId } from '@firmquote/core/protocol'
import type { Address } from 'viem'
import { auctionOutcome } from './auctionOutcome.ts'
import {
  type AcceptedQuote,
  type AuctionRecord,
  chooseBest,
  doneEvent,
  type QuoteBlock,
  quoteEvent,
  startedEvent,
} from './auctionRecord.ts'
import type {
  AcceptAnswer,
  AuctionEffect,
  AuctionEvent,
  AuctionState,
  AuctionStep,
  AuctionVerdict,
} from './auctionState.ts'
import {
  type AcceptedEntry,
  type CandidateQuote,
  entryOf,
  missedQuotes,
  noEntries,
  type PendingQuote,
  pendingQuotes,
  withEntry,
} from './backerEntries.ts'
import { candidateOf, isAttempt, judgeSubmission } from './judgeSubmission.ts'

/** Numbers of judged and rejected submissions after which a backer's further submissions are refused. */
export const maxAttempts = 3

/** Whether this instance has rejected as many of a backer's quotes as it accepts attempts. */
export function hasNoAttempts({ entries }: AuctionState, backer: string): boolean {
  return entryOf(entries, backer).attempts >= maxAttempts
}

/**
 * Applies one event to an auction. Pure: the same events always produce the same states and effects. An event that does
 * not apply to the state (a second opening, a second close, an unknown verdict) changes nothing.
 *
 * The store decides which quotes an auction accepted and how it ended. Answers to backers are based on the commit or
 * the rows returned by the close, never on this instance's clock alone.
 *
 * @param state null before the opening.
 */
export function applyAuctionEvent(state: AuctionState | null, event: AuctionEvent): AuctionStep {
  if (state === null) return event.type === 'opened' ? open(event) : { state, effects: [] }
  switch (event.type) {
    case 'opened':
      return unchanged(state)
    case 'quoteSubmitted':
      return submit(state, event)
    case 'quoteJudged':
      return applyVerdict(state, event)
    case 'acceptAnswered':
      return applyAcceptance(state, event)
    case 'acceptOverdue':
      return giveUpWaiting(state, event)
    case 'rowsRead':
      return readRows(state, event.record)
    case 'deadlineReached':
      return startClosing(state)
    case 'closeAnswered':
      return event.answer === null ? closeAgain(state) : close(state, event.answer)
    case 'closeFailed':
      return closeAgain(state)
    case 'closeOverdue':
      return state.phase === 'closing' ? giveUpClosing(state) : unchanged(state)
  }
}

type Of<Type extends AuctionEvent['type']> = Extract<AuctionEvent, { type: Type }>

function unchanged(state: AuctionState): { state: AuctionState; effects: AuctionEffect[] } {
  return { state, effects: [] }
}

function open({ record, lifetime, announced }: Of<'opened'>): AuctionStep {
  const { rfq, publicRfqId, backers } = record
  const state: AuctionState = {
    phase: 'open',
    rfq,
    publicRfqId,
    backers,
    lifetime,
    entries: noEntries,
    accepted: null,
    acceptedCount: 0,
    rejectedCount: 0,
    judging: 0,
    isCloseOverdue: false,
    close: null,
  }
  const known = addRows(state, record.quotes)
  const announcement: AuctionEffect = {
    type: 'broadcast',
    subject: 'rfq',
    rfq: { ...rfq, rfqId: toPublicRfqId(publicRfqId) },
  }
  return {
    state: known.state,
    effects: [{ type: 'emit', event: startedEvent(record) }, ...(announced ? [announcement] : []), ...known.effects],
  }
}

function submit(state: AuctionState, event: Of<'quoteSubmitted'>): AuctionStep {
  const { submission, backer, quote, hash, arrival, now } = event
  const entry = entryOf(state.entries, backer)
  const { accepted, pending } = entry
  // A repeated quote gets the same answer as the first time.
  if (accepted?.hash === hash) return { state, effects: [accept(state, submission, accepted)] }
  if (pending?.candidate.hash === hash && pending.stage !== 'overdue') {
    const waiting = [...pending.waiting, submission]
    return {
      state: {
        ...state,
        entries: withEntry(state.entries, backer, { ...entry, pending: { ...pending, waiting } }),
        judging: state.judging + (pending.stage === 'judging' ? 1 : 0),
      },
      effects: [],
    }
  }
  // An earlier quote may already be stored, so accepting another could leave the maker with two.
  if (pending?.stage === 'unknown' || pending?.stage === 'overdue') {
    const rejection: Rejection = { code: 'OUTCOME_UNKNOWN', hash: pending.candidate.hash }
    // The quote itself may be stored, so it must not be reported as refused.
    if (pending.candidate.hash === hash) return { state, effects: [refusal(submission, rejection)] }
    return reject(state, submission, rejection)
  }
  if (state.phase === 'closing' && accepted === null && pending === null) return awaitClose(state, event)
  if (state.phase !== 'open') return reject(state, submission, closedRejection(state))
  if (accepted !== null || pending !== null || hasNoAttempts(state, backer)) {
    return reject(state, submission, { code: 'ALREADY_QUOTED', hash: accepted?.hash ?? null })
  }
  const rejection = judgeSubmission(state, { backer, quote, now })
  if (rejection) {
    const refused = { ...entry, attempts: entry.attempts + 1, missed: 'rejected' } as const
    const entries = withEntry(state.entries, backer, refused)
    return reject({ ...state, entries }, submission, rejection)
  }
  const candidate = candidateOf(state.rfq, quote, hash, arrival)
  return {
    state: {
      ...state,
      entries: withEntry(state.entries, backer, {
        ...entry,
        pending: { id: submission, candidate, waiting: [submission], stage: 'judging' },
      }),
      judging: state.judging + 1,
    },
    effects: [{ type: 'judge', id: submission, backer, candidate }],
  }
}

/**
 * Holds a submission until the close is written. A refusal before that would not be final: an instance with a slower
 * clock could still accept the quote.
 */
function awaitClose(state: AuctionState, event: Of<'quoteSubmitted'>): AuctionStep {
  const { submission, backer, quote, hash, arrival } = event
  // No instance accepts invalid terms.
  if (judgeSubmission(state, event)) return reject(state, submission, closedRejection(state))
  if (state.isCloseOverdue) return reject(state, submission, { code: 'OUTCOME_UNKNOWN', hash })
  const candidate = candidateOf(state.rfq, quote, hash, arrival)
  return unchanged(withPending(state, backer, { id: submission, candidate, waiting: [submission], stage: 'judging' }))
}

function applyVerdict(state: AuctionState, event: Of<'quoteJudged'>): AuctionStep {
  const { id, backer, rejection, unproven, block } = event
  const { pending } = entryOf(state.entries, backer)
  if (pending?.id !== id || pending.stage !== 'judging') return unchanged(state)
  if (rejection) return refuse(state, backer, pending, rejection, block)
  // No quotes are written after the deadline; the rows returned by the close are authoritative.
  if (state.phase !== 'open') return unchanged(state)
  const candidate = { ...pending.candidate, ...(unproven && { unproven }), ...(block && { block }) }
  return {
    state: {
      ...withPending(state, backer, { ...pending, candidate, stage: 'storing' }),
      judging: state.judging - pending.waiting.length,
    },
    effects: [{ type: 'accept', id, backer, candidate, repeated: false }],
  }
}

function applyAcceptance(state: AuctionState, { id, backer, answer }: Of<'acceptAnswered'>): AuctionStep {
  const entry = entryOf(state.entries, backer)
  const { pending } = entry
  if (pending?.id !== id || pending.stage === 'judging') return unchanged(state)
  const { candidate } = pending
  switch (answer.status) {
    case 'accepted': {
      const { seq, receivedAt, leaf } = answer
      const accepted = { hash: candidate.hash, receivedAt, ...(leaf && { leaf: { seq, hash: leaf } }) }
      const entries = withEntry(state.entries, backer, { ...entry, pending: null, accepted })
      const acks = pending.waiting.map((submission) => accept(state, submission, accepted))
      const rows = addRow({ ...state, entries }, candidate, answer)
      return { state: rows.state, effects: [...acks, ...rows.effects] }
    }
    case 'closed': {
      // The row may still be open, so only the rows returned by the close decide.
      const counted = state.phase === 'open' ? pending.waiting.length : 0
      return startClosing({ ...state, rejectedCount: state.rejectedCount + counted })
    }
    case 'quoted': {
      const refused = refuse(state, backer, pending, { code: 'ALREADY_QUOTED', hash: answer.hash })
      return { state: refused.state, effects: [...refused.effects, { type: 'readRows' }] }
    }
    case 'unknown_auction':
      return refuse(state, backer, pending, { code: 'RFQ_NOT_FOUND', rfqId: state.publicRfqId })
    case 'failed':
      // This attempt stored nothing, but an earlier one with an unknown outcome may have stored the quote.
      if (pending.stage !== 'storing') return retryAccept(state, backer, pending)
      return refuse(state, backer, pending, { code: 'STORAGE_UNAVAILABLE' })
    case 'unknown':
      return retryAccept(state, backer, pending)
  }
}

/** Retries the write until its outcome is known. */
function retryAccept(state: AuctionState, backer: Address, pending: PendingQuote): AuctionStep {
  const { id, candidate } = pending
  const stage = pending.stage === 'overdue' ? 'overdue' : 'unknown'
  return {
    state: withPending(state, backer, { ...pending, stage }),
    effects: [{ type: 'accept', id, backer, candidate, repeated: true }],
  }
}

function giveUpWaiting(state: AuctionState, { id, backer }: Of<'acceptOverdue'>): AuctionStep {
  const { pending } = entryOf(state.entries, backer)
  if (pending?.id !== id || pending.stage === 'judging') return unchanged(state)
  return leaveUnknown(state, backer, pending)
}

/**
 * Answers the waiting submissions with `OUTCOME_UNKNOWN`. The backer cannot submit another quote until the outcome is
 * known.
 */
function leaveUnknown(
  state: AuctionState,
  backer: string,
  pending: PendingQuote,
): { state: AuctionState; effects: AuctionEffect[] } {
  const rejection: Rejection = { code: 'OUTCOME_UNKNOWN', hash: pending.candidate.hash }
  return {
    state: withPending(state, backer, { ...pending, waiting: [], stage: 'overdue' }),
    effects: pending.waiting.map((submission) => refusal(submission, rejection)),
  }
}

/** Adds new rows. If the rows show that the auction is closed, asks the store how it ended. */
function readRows(state: AuctionState, { quotes, close: ending }: AuctionRecord): AuctionStep {
  const rows = addRows(state, quotes)
  if (ending === null) return rows
  const closing = startClosing(rows.state)
  return { state: closing.state, effects: [...rows.effects, ...closing.effects] }
}

/**
 * Adds an accepted quote's row. If the row is not the next one, or another instance accepted the same quote first, all
 * rows must be read, because followers see exactly what the rows contain.
 */
function addRow(
  state: AuctionState,
  candidate: CandidateQuote,
  { seq, receivedAt }: Extract<AcceptAnswer, { status: 'accepted' }>,
) {
  if (seq <= state.acceptedCount) return unchanged(state)
  const isNext = seq === state.acceptedCount + 1 && receivedAt === candidate.receivedAt
  return isNext
    ? addRows(state, [{ ...candidate, seq }])
    : { state, effects: [{ type: 'readRows' } satisfies AuctionEffect] }
}

/** Adds unknown rows and emits their events. */
function addRows(state: AuctionState, quotes: readonly AcceptedQuote[]) {
  let next = state
  const effects: AuctionEffect[] = []
  for (const quote of quotes) {
    if (quote.seq !== next.acceptedCount + 1) continue
    const { maker } = quote.quote
    const entry = entryOf(next.entries, maker)
    next = {
      ...next,
      entries: entry.accepted
        ? next.entries
        : withEntry(next.entries, maker, { ...entry, accepted: { hash: quote.hash, receivedAt: quote.receivedAt } }),
      accepted: { quote, earlier: next.accepted },
      acceptedCount: quote.seq,
    }
    effects.push({ type: 'emit', event: quoteEvent(state.rfq, quote) })
  }
  return { state: next, effects }
}

function startClosing(state: AuctionState): AuctionStep & { state: AuctionState } {
  if (state.phase !== 'open') return unchanged(state)
  // A quote without a verdict from the chain can no longer be accepted.
  const rejectedCount = state.rejectedCount + state.judging
  return {
    state: { ...state, phase: 'closing', rejectedCount },
    effects: [{ type: 'close', rejectedCount, repeated: false }],
  }
}

function closeAgain(state: AuctionState): AuctionStep {
  if (state.phase !== 'closing') return unchanged(state)
  return { state, effects: [{ type: 'close', rejectedCount: state.rejectedCount, repeated: true }] }
}

function close(state: AuctionState, answer: NonNullable<Of<'closeAnswered'>['answer']>): AuctionStep {
  const { closedNow } = answer
  const { close: ending } = answer.auction
  if (state.phase === 'closed') return unchanged(state)
  if (ending === null) return closeAgain(state)
  // Computed once for all recipients.
  const auction = { ...answer.auction, best: answer.auction.best ?? chooseBest(answer.auction) }
  const rows = addRows(state, auction.quotes)
  const closed: AuctionState = {
    ...rows.state,
    phase: 'closed',
    accepted: auction.quotes.reduce<AuctionState['accepted']>((earlier, quote) => ({ quote, earlier }), null),
    close: ending,
    rejectedCount: ending.rejectedCount,
  }
  // A quote with a row in the result was accepted, even if this instance does not yet know its write's outcome.
  const receivedAt = new Map(auction.quotes.map((quote) => [quote.hash, quote.receivedAt]))
  let { entries } = closed
  const acks: AuctionEffect[] = []
  for (const { backer, pending } of pendingQuotes(entries)) {
    const { hash } = pending.candidate
    const at = receivedAt.get(hash)
    entries = withEntry(entries, backer, { ...entryOf(entries, backer), pending: null, missed: 'late' })
    for (const submission of pending.waiting) {
      acks.push(
        at === undefined
          ? refusal(submission, closedRejection(closed))
          : accept(closed, submission, { hash, receivedAt: at }),
      )
    }
  }
  const outcome = auctionOutcome(auction, ending, missedQuotes(entries))
  return {
    state: { ...closed, entries, judging: 0 },
    effects: [
      ...acks,
      ...rows.effects,
      { type: 'emit', event: doneEvent(auction, ending) },
      ...(closedNow ? [{ type: 'broadcast', subject: 'auction_result', outcome } as const] : []),
      { type: 'end', record: auction, outcome },
    ],
  }
}

/** Stops waiting for the close to be written. The write is still retried. */
function giveUpClosing(state: AuctionState): AuctionStep {
  let next = state
  const effects: AuctionEffect[] = []
  for (const { backer, pending } of pendingQuotes(state.entries)) {
    const left = leaveUnknown(next, backer, pending)
    next = left.state
    effects.push(...left.effects)
  }
  return { state: { ...next, judging: 0, isCloseOverdue: true }, effects: [...effects, overdueError(next)] }
}

function overdueError({ rfq, acceptedCount }: AuctionState): AuctionEffect {
  return {
    type: 'emit',
    event: {
      type: 'error',
      // The last ID sent, so that a stream resumed from it continues without a gap.
      id: formatEventId({ rfqId: rfq.rfqId, seq: acceptedCount }),
      data: {
        code: 'STORAGE_UNAVAILABLE',
        message: 'The result has not been written yet; follow the auction again to receive it.',
      },
    },
  }
}

function accept(
  { rfq }: AuctionState,
  submission: number,
  accepted: AcceptedEntry,
): Extract<AuctionEffect, { type: 'ack' }> {
  const verdict: AuctionVerdict = { ok: true, value: { ...accepted, closesAt: rfq.closesAt } }
  return { type: 'ack', submission, verdict }
}

/**
 * Refuses one submission. Submissions after the deadline are not counted, because the close has already recorded its
 * count.
 */
function reject(state: AuctionState, submission: number, rejection: Rejection): AuctionStep {
  return {
    state: state.phase === 'open' ? { ...state, rejectedCount: state.rejectedCount + 1 } : state,
    effects: [refusal(submission, rejection)],
  }
}

function refusal(
  submission: number,
  rejection: Rejection,
  block?: QuoteBlock,
): Extract<AuctionEffect, { type: 'ack' }> {
  return { type: 'ack', submission, verdict: { ok: false, rejection, ...(block && { block }) } }
}

/** Refuses a pending quote, so that its backer may submit another. */
function refuse(
  state: AuctionState,
  backer: string,
  { waiting, stage }: PendingQuote,
  rejection: Rejection,
  block?: QuoteBlock,
): { state: AuctionState; effects: AuctionEffect[] } {
  const entry = entryOf(state.entries, backer)
  const counted = state.phase === 'open' ? waiting.length : 0
  return {
    state: {
      ...state,
      entries: withEntry(state.entries, backer, {
        ...entry,
        pending: null,
        attempts: entry.attempts + (isAttempt(rejection) ? 1 : 0),
        missed: rejection.code === 'AUCTION_CLOSED' ? 'late' : 'rejected',
      }),
      judging: state.judging - (stage === 'judging' ? waiting.length : 0),
      rejectedCount: state.rejectedCount + counted,
    },
    effects: waiting.map((submission) => refusal(submission, rejection, block)),
  }
}

function withPending(state: AuctionState, backer: string, pending: PendingQuote): AuctionState {
  return { ...state, entries: withEntry(state.entries, backer, { ...entryOf(state.entries, backer), pending }) }
}

function closedRejection({ close, rfq }: AuctionState): Rejection {
  return { code: 'AUCTION_CLOSED', closedAt: close ? close.closedAt : rfq.closesAt }
}
