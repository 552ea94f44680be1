// Long because it tests a reducer that handles every event.

import { type Rejection, type RFQStreamEvent, type SignedQuote, toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import {
  apply,
  backers,
  codesOf,
  deadlineReached,
  effectsOf,
  judged,
  opened,
  publicId,
  record,
  rfq,
  type Submitted,
  submitted,
} from '../../test/auctionEvents.ts'
import { now, openedAt, poolId, seriesKey } from '../../test/storedQuotes.ts'
import { applyAuctionEvent } from './applyAuctionEvent.ts'
import type { AcceptedQuote, AuctionRecord } from './auctionRecord.ts'
import type { AcceptAnswer, AuctionEffect, AuctionEvent } from './auctionState.ts'
import { knownRecord } from './auctionState.ts'

const [first, second] = backers as [Address, Address]
const other: Hex = `0x${'99'.repeat(32)}`

function answered({ submission: id, backer }: Submitted, answer: AcceptAnswer): AuctionEvent {
  return { type: 'acceptAnswered', id, backer, answer }
}

const stored = (event: Submitted, seq: number): AuctionEvent =>
  answered(event, { status: 'accepted', seq, receivedAt: openedAt })
const overdue = ({ submission: id, backer }: Submitted): AuctionEvent => ({ type: 'acceptOverdue', id, backer })

/** The row for a submission. */
function rowOf({ hash, quote, arrival }: Submitted, seq: number): AcceptedQuote {
  return { hash, quote, apr: 1, receivedAt: Math.floor(arrival / 1_000), arrival, seq }
}

const rowsOf = (events: readonly Submitted[], close: AuctionRecord['close'] = null): AuctionRecord => ({
  ...record,
  quotes: events.map((event, index) => rowOf(event, index + 1)),
  close,
})
const ended = { closedAt: rfq.closesAt + 1, rejectedCount: 7, interrupted: false }
const closedWith = (events: readonly Submitted[], closedNow = true): AuctionEvent => ({
  type: 'closeAnswered',
  answer: { closedNow, auction: rowsOf(events, ended) },
})
const idsOf = (effects: readonly AuctionEffect[]) =>
  effectsOf(effects, 'emit').map(({ event }) => `${event.type} ${event.id.split(':')[1]}`)
const acksOf = (effects: readonly AuctionEffect[]) =>
  effectsOf(effects, 'ack').map(({ submission, verdict }) => [
    submission,
    verdict.ok ? 'accepted' : verdict.rejection.code,
  ])

describe('applyAuctionEvent', () => {
  test('default', () => {
    const a = submitted(1, first, { vrtAmount: 20n })
    const b = submitted(2, second, { vrtAmount: 10n })
    const events = [opened, a, b, judged(b), judged(a), stored(b, 1), stored(a, 2), deadlineReached]
    const { state, effects } = apply([...events, closedWith([b, a])])

    expect(effects.map(({ type }) => type)).toEqual([
      ...['emit', 'broadcast', 'judge', 'judge', 'accept', 'accept', 'ack', 'emit', 'ack', 'emit'],
      ...['close', 'emit', 'broadcast', 'end'],
    ])
    expect(idsOf(effects)).toEqual(['started 0', 'quote 1', 'quote 2', 'done 3'])
    const best = { hashes: [b.hash], notional: 1_000n, cost: 10n }
    expect(effectsOf(effects, 'emit').at(-1)?.event.data).toEqual({
      rfqId: rfq.rfqId,
      closedAt: ended.closedAt,
      quoteCount: 2,
      rejectedCount: 7,
      best,
      ranking: [b.hash, a.hash],
    })
    const [end] = effectsOf(effects, 'end')
    const backers = { [second]: { outcome: 'best', hash: b.hash }, [first]: { outcome: 'close', hash: a.hash } }
    const outcome = { rfqId: publicId, closedAt: ended.closedAt, quoteCount: 2, backers }
    expect(end).toEqual({ type: 'end', record: { ...rowsOf([b, a], ended), best }, outcome })
    expect(state).toMatchObject({ phase: 'closed', acceptedCount: 2, judging: 0, rejectedCount: 7, close: ended })
  })

  test('behavior: backers get only the public id, and the outcome says how each quote ranked', () => {
    const a = submitted(1, first)
    const { effects } = apply([opened, a, judged(a), stored(a, 1), deadlineReached, closedWith([a])])
    const broadcasts = effectsOf(effects, 'broadcast')
    expect(JSON.stringify(broadcasts, (_key, part) => (typeof part === 'bigint' ? `${part}` : part))).not.toContain(
      rfq.rfqId,
    )
    expect(broadcasts).toEqual([
      { type: 'broadcast', subject: 'rfq', rfq: { ...rfq, rfqId: publicId } },
      {
        type: 'broadcast',
        subject: 'auction_result',
        outcome: {
          rfqId: publicId,
          closedAt: ended.closedAt,
          quoteCount: 1,
          backers: { [first]: { outcome: 'best', hash: a.hash } },
        },
      },
    ])
  })

  test('behavior: a resumed auction is not announced and continues after its rows', () => {
    const [a, b, c] = [1, 2, 3].map((n) => submitted(n, backers[n] ?? first)) as [Submitted, Submitted, Submitted]
    const resumed: AuctionEvent = { ...opened, record: rowsOf([a, b]), announced: false }
    const { state, effects } = apply([resumed, { ...a, submission: 11 }, c, judged(c), stored(c, 3)])
    expect(effectsOf(effects, 'broadcast')).toEqual([])
    expect(idsOf(effects)).toEqual(['started 0', 'quote 1', 'quote 2', 'quote 3'])
    expect(acksOf(effects)).toEqual([
      [11, 'accepted'],
      [3, 'accepted'],
    ])
    expect(state).toMatchObject({ phase: 'open', acceptedCount: 3, rejectedCount: 0 })
    expect(knownRecord(state).quotes.map(({ hash }) => hash)).toEqual([a.hash, b.hash, c.hash])
  })

  test.each([
    ['MAKER_MISMATCH', { maker: second }],
    ['TERMS_MISMATCH', { poolId: seriesKey }],
    ['TERMS_MISMATCH', { seriesKey: poolId }],
    ['TERMS_MISMATCH', { taker: second }],
    ['NOTIONAL_TOO_LARGE', { notional: 1_001n }],
    ['VRT_AMOUNT_TOO_LARGE', { vrtAmount: 501n }],
    ['DEADLINE_PASSED', { deadline: now - 1n }],
    ['DEADLINE_TOO_SOON', { deadline: now + 19n }],
    ['DEADLINE_TOO_FAR', { deadline: now + 86_401n }],
    ['NOT_EXECUTABLE', { notional: 0n }],
  ] as [string, Partial<SignedQuote>][])('error: %s is rejected without being judged (%j)', (code, terms) => {
    const { effects, state } = apply([opened, submitted(1, first, terms)])
    expect(codesOf(effects)).toEqual([code])
    expect(effectsOf(effects, 'judge')).toEqual([])
    expect(state.rejectedCount).toBe(1)
  })

  test('behavior: a quote that only just fits is judged, with the borrower as its taker too', () => {
    const taken = { ...record, rfq: { ...rfq, taker: second } }
    const terms = { notional: 1_000n, vrtAmount: 500n, deadline: now + 20n, taker: second }
    const { effects } = apply([{ ...opened, record: taken }, submitted(1, first, terms)])
    const [judge] = effectsOf(effects, 'judge')
    // A price of 500 for 1,000 over 30 days is 50 % in 30/365 of a year.
    expect(judge?.candidate.apr).toBeCloseTo((50 * 365) / 30, 3)
    expect(judge?.candidate).toMatchObject({ receivedAt: openedAt, arrival: openedAt * 1_000 + 1 })
  })

  test('behavior: a clock past the end of the series still gives a rate', () => {
    const late = { ...submitted(1, first), arrival: (rfq.expiry + 10) * 1_000_000 }
    const [judge] = effectsOf(apply([opened, late]).effects, 'judge')
    expect(Number.isFinite(judge?.candidate.apr)).toBe(true)
  })

  test('error: a second quote while the first is being judged, being stored, and after it was accepted', () => {
    const a = submitted(1, first)
    const { effects } = apply([
      ...[opened, a, submitted(2, first), judged(a), submitted(3, first), stored(a, 1)],
      submitted(4, first),
    ])
    expect(effectsOf(effects, 'ack').map(({ submission, verdict }) => [submission, verdict])).toEqual([
      [2, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: null } }],
      [3, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: null } }],
      [1, { ok: true, value: { hash: a.hash, receivedAt: openedAt, closesAt: rfq.closesAt } }],
      [4, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: a.hash } }],
    ])
  })

  test('behavior: the same quote again waits for the same answer at every stage, and later gets it immediately', () => {
    const a = submitted(1, first)
    const again = (submission: number): AuctionEvent => ({ ...a, submission })
    const { effects, state } = apply([
      ...[opened, a, again(2), judged(a), again(3), answered(a, { status: 'unknown' }), stored(a, 1), again(4)],
      ...[deadlineReached, again(5), closedWith([a]), again(6)],
    ])
    // While the outcome is unknown, the quote is not written again: the third attempt is answered immediately.
    expect(acksOf(effects)).toEqual([1, 2, 3, 4, 5, 6].map((submission) => [submission, 'accepted']))
    expect(effectsOf(effects, 'judge')).toHaveLength(1)
    expect(effectsOf(effects, 'accept')).toHaveLength(2)
    expect(state.rejectedCount).toBe(7)
  })

  test('behavior: a backer may submit again after a rejection, three attempts in all', () => {
    const attempts = [1, 2, 3, 4].map((submission) => submitted(submission, first))
    const rejection: Rejection = { code: 'QUOTE_FILLED', hash: seriesKey }
    const { effects, state } = apply([opened, ...attempts.flatMap((event) => [event, judged(event, rejection)])])
    expect(codesOf(effects)).toEqual(['QUOTE_FILLED', 'QUOTE_FILLED', 'QUOTE_FILLED', 'ALREADY_QUOTED'])
    expect(state.rejectedCount).toBe(4)
  })

  test('behavior: a rejection of the terms is an attempt too', () => {
    const attempts = [1, 2, 3].map((submission) => submitted(submission, first, { notional: 1_001n }))
    const { effects } = apply([opened, ...attempts, submitted(4, first)])
    expect(codesOf(effects)).toEqual([
      ...['NOTIONAL_TOO_LARGE', 'NOTIONAL_TOO_LARGE', 'NOTIONAL_TOO_LARGE', 'ALREADY_QUOTED'],
    ])
  })

  test.each(['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const)(
    'behavior: %s does not count as an attempt, however often it happens',
    (code) => {
      const failures = [1, 2, 3, 4].map((submission) => submitted(submission, first))
      const last = submitted(5, first)
      const { effects, state } = apply([
        ...[opened, ...failures.flatMap((event) => [event, judged(event, { code })])],
        ...[last, judged(last), stored(last, 1)],
      ])
      expect(codesOf(effects)).toEqual([code, code, code, code, 'accepted'])
      expect(state).toMatchObject({ acceptedCount: 1, rejectedCount: 4, judging: 0 })
    },
  )

  test('behavior: equal prices rank by arrival, also when the later quote was judged and stored first', () => {
    const [a, b, c] = [1, 2, 3].map((n) => submitted(n, backers[n] ?? first)) as [Submitted, Submitted, Submitted]
    const { effects } = apply([opened, a, b, c, deadlineReached, closedWith([c, a, b])])
    expect(effectsOf(effects, 'emit').at(-1)?.event.data).toMatchObject({ ranking: [a.hash, b.hash, c.hash] })
  })

  test('behavior: an address is one backer in upper and lower case', () => {
    const lower: Address = '0xabcdef0000000000000000000000000000000001'
    const upper: Address = '0xABCDEF0000000000000000000000000000000001'
    const { effects } = apply([opened, submitted(1, lower), submitted(2, upper)])
    expect(codesOf(effects)).toEqual(['ALREADY_QUOTED'])
  })

  test('behavior: events that do not apply have no effect', () => {
    expect(applyAuctionEvent(null, deadlineReached)).toEqual({ state: null, effects: [] })
    const a = submitted(1, first)
    const { state } = apply([opened, a])
    const events: AuctionEvent[] = [
      ...[opened, stored(a, 1), overdue(a), judged({ ...a, submission: 9 }), judged({ ...a, backer: second })],
      ...([{ type: 'closeFailed' }, { type: 'closeOverdue' }, { type: 'closeAnswered', answer: null }] as const),
    ]
    for (const event of events) expect(applyAuctionEvent(state, event)).toEqual({ state, effects: [] })
    const storing = apply([opened, a, judged(a)]).state
    for (const event of [judged(a), stored({ ...a, submission: 9 }, 1), overdue({ ...a, submission: 9 })]) {
      expect(applyAuctionEvent(storing, event)).toEqual({ state: storing, effects: [] })
    }
    const closed = apply([opened, deadlineReached, closedWith([])]).state
    const late: AuctionEvent[] = [deadlineReached, closedWith([a]), { type: 'rowsRead', record: rowsOf([], ended) }]
    for (const event of [...late, { type: 'closeOverdue' } as const]) {
      expect(applyAuctionEvent(closed, event)).toEqual({ state: closed, effects: [] })
    }
  })
})

describe('the answers of the store', () => {
  const a = submitted(1, first)
  const storing = [opened, a, judged(a)]

  test('behavior: the answer to a backer follows the commit', () => {
    expect(codesOf(apply(storing).effects)).toEqual([])
    const { effects } = apply([...storing, answered(a, { status: 'accepted', seq: 1, receivedAt: 5 })])
    expect(effectsOf(effects, 'ack')[0]?.verdict).toEqual({
      ok: true,
      value: { hash: a.hash, receivedAt: 5, closesAt: rfq.closesAt },
    })
  })

  test('behavior: for a quote that another instance accepted first, the row decides', () => {
    const accepted = answered(a, { status: 'accepted', seq: 1, receivedAt: 5 })
    const { effects } = apply([...storing, accepted])
    expect(effects.slice(-2).map(({ type }) => type)).toEqual(['ack', 'readRows'])
    const row = { ...rowOf(a, 1), receivedAt: 5 }
    const rows: AuctionEvent = { type: 'rowsRead', record: { ...record, quotes: [row] } }
    for (const events of [
      [accepted, rows],
      [rows, accepted],
    ]) {
      const told = apply([...storing, ...events]).effects
      expect(idsOf(told)).toEqual(['started 0', 'quote 1'])
      expect(effectsOf(told, 'emit').at(-1)?.event.data).toMatchObject({ hash: a.hash, receivedAt: 5, apr: 1 })
    }
  })

  test('behavior: a quote that is too late is answered by the rows of the close', () => {
    const late = answered(a, { status: 'closed', closedAt: 99 })
    const { effects, state } = apply([...storing, late])
    expect(effectsOf(effects, 'ack')).toEqual([])
    expect(effectsOf(effects, 'close')).toEqual([{ type: 'close', rejectedCount: 1, repeated: false }])
    expect(state.phase).toBe('closing')
    // Another instance may have stored the quote before the row closed.
    expect(acksOf(apply([...storing, late, closedWith([a])]).effects)).toEqual([[1, 'accepted']])
    expect(acksOf(apply([...storing, late, closedWith([])]).effects)).toEqual([[1, 'AUCTION_CLOSED']])
    // The count was written before this answer.
    expect(apply([...storing, deadlineReached, late]).state.rejectedCount).toBe(0)
  })

  test('behavior: a submission after the deadline is answered once the row is closed', () => {
    const late = submitted(5, second)
    const { effects, state } = apply([opened, deadlineReached, late, { ...late, submission: 6 }])
    expect([effectsOf(effects, 'judge'), effectsOf(effects, 'ack'), state.rejectedCount]).toEqual([[], [], 0])
    const closed = apply([opened, deadlineReached, late, { ...late, submission: 6 }, closedWith([])])
    expect(acksOf(closed.effects)).toEqual([
      [5, 'AUCTION_CLOSED'],
      [6, 'AUCTION_CLOSED'],
    ])
    const invalid = apply([opened, deadlineReached, submitted(5, second, { notional: 0n })])
    expect(acksOf(invalid.effects)).toEqual([[5, 'AUCTION_CLOSED']])
    const overdue = apply([opened, deadlineReached, { type: 'closeOverdue' }, late])
    expect(acksOf(overdue.effects)).toEqual([[5, 'OUTCOME_UNKNOWN']])
  })

  test('behavior: a quote of the maker that another instance has accepted is read', () => {
    const { effects } = apply([...storing, answered(a, { status: 'quoted', hash: other })])
    expect(effects.slice(-2)).toEqual([
      { type: 'ack', submission: 1, verdict: { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: other } } },
      { type: 'readRows' },
    ])
  })

  test('error: there is no such auction', () => {
    const { effects } = apply([...storing, answered(a, { status: 'unknown_auction' })])
    expect(effectsOf(effects, 'ack')[0]?.verdict).toEqual({
      ok: false,
      rejection: { code: 'RFQ_NOT_FOUND', rfqId: publicId },
    })
  })

  test('error: nothing was stored; the backer may submit another quote', () => {
    const b = submitted(2, first)
    const { effects, state } = apply([...storing, answered(a, { status: 'failed' }), b, judged(b), stored(b, 1)])
    expect(codesOf(effects)).toEqual(['STORAGE_UNAVAILABLE', 'accepted'])
    expect(state).toMatchObject({ rejectedCount: 1, acceptedCount: 1 })
  })

  test('error: while its outcome is unknown, no other quote of its backer is accepted', () => {
    const unknown = answered(a, { status: 'unknown' })
    const before = apply([...storing, unknown, { ...a, submission: 2 }, submitted(3, first)])
    expect(effectsOf(before.effects, 'accept').map(({ repeated }) => repeated)).toEqual([false, true])
    const rejection = { code: 'OUTCOME_UNKNOWN', hash: a.hash }
    expect(effectsOf(before.effects, 'ack')).toEqual([
      { type: 'ack', submission: 3, verdict: { ok: false, rejection } },
    ])
    // The other quote's refusal counts as a rejection; this quote's unknown outcome does not.
    expect(before.state.rejectedCount).toBe(1)

    const events = [...storing, unknown, { ...a, submission: 2 }, overdue(a), overdue(a)]
    const after = apply([...events, { ...a, submission: 4 }, submitted(5, first)])
    expect(acksOf(after.effects)).toEqual([1, 2, 4, 5].map((submission) => [submission, 'OUTCOME_UNKNOWN']))
    expect(effectsOf(after.effects, 'judge')).toHaveLength(1)
    expect(after.state.rejectedCount).toBe(1)

    // The outcome becomes known after further attempts, and no submission is answered twice.
    const known = apply([...events, unknown, stored(a, 1), { ...a, submission: 6 }])
    expect(acksOf(known.effects)).toEqual([
      [1, 'OUTCOME_UNKNOWN'],
      [2, 'OUTCOME_UNKNOWN'],
      [6, 'accepted'],
    ])
    expect(effectsOf(known.effects, 'accept')).toHaveLength(3)
    expect(idsOf(known.effects)).toEqual(['started 0', 'quote 1'])
  })

  test('error: the outcome of a hanging write is unknown too', () => {
    const { effects, state } = apply([...storing, overdue(a), submitted(2, first), stored(a, 1)])
    expect(acksOf(effects)).toEqual([
      [1, 'OUTCOME_UNKNOWN'],
      [2, 'OUTCOME_UNKNOWN'],
    ])
    expect(state.acceptedCount).toBe(1)
  })

  test('error: a failed second attempt says nothing about the first one', () => {
    for (const before of [answered(a, { status: 'unknown' }), overdue(a)]) {
      const events = [...storing, before, answered(a, { status: 'failed' })]
      const { effects } = apply([...events, submitted(2, first)])
      expect(codesOf(effects).at(-1)).toBe('OUTCOME_UNKNOWN')
      expect(codesOf(effects)).not.toContain('STORAGE_UNAVAILABLE')
      expect(effectsOf(effects, 'accept').at(-1)).toMatchObject({ repeated: true })
      expect(codesOf(apply([...events, stored(a, 1)]).effects)).not.toContain('STORAGE_UNAVAILABLE')
    }
  })
})

describe('the rows', () => {
  const [a, b, c] = [1, 2, 3].map((n) => submitted(n, backers[n] ?? first)) as [Submitted, Submitted, Submitted]

  test('behavior: a gap causes a read; rows are emitted once and in order', () => {
    const events = [opened, c, judged(c), stored(c, 3)]
    const gap = apply(events)
    expect(gap.effects.slice(-2).map(({ type }) => type)).toEqual(['ack', 'readRows'])
    const read: AuctionEvent = { type: 'rowsRead', record: rowsOf([a, b, c]) }
    const older: AuctionEvent = { type: 'rowsRead', record: rowsOf([a]) }
    const { effects, state } = apply([...events, older, read, older, read])
    expect(idsOf(effects)).toEqual(['started 0', 'quote 1', 'quote 2', 'quote 3'])
    expect(acksOf(effects)).toEqual([[3, 'accepted']])
    expect(state.acceptedCount).toBe(3)
  })

  test("behavior: a quote that another instance accepted counts as its maker's quote", () => {
    const read: AuctionEvent = { type: 'rowsRead', record: rowsOf([a]) }
    const { effects } = apply([opened, read, { ...a, submission: 4 }, submitted(5, a.backer)])
    expect(acksOf(effects)).toEqual([
      [4, 'accepted'],
      [5, 'ALREADY_QUOTED'],
    ])
  })

  test('behavior: rows of a closed auction cause one close', () => {
    const read: AuctionEvent = { type: 'rowsRead', record: rowsOf([a], ended) }
    const { effects } = apply([opened, read, read, deadlineReached, closedWith([a], false)])
    expect(effectsOf(effects, 'close')).toHaveLength(1)
    expect(idsOf(effects)).toEqual(['started 0', 'quote 1', 'done 2'])
    // The instance that closed the auction notifies the backers.
    expect(effectsOf(effects, 'broadcast')).toHaveLength(1)
  })
})

describe('the close', () => {
  const [a, b, c, d] = [1, 2, 3, 4].map((n) => submitted(n, backers[n] ?? first)) as [
    Submitted,
    Submitted,
    Submitted,
    Submitted,
  ]
  const atEveryStage = [
    ...[opened, a, b, c, d, judged(b), judged(c), judged(d)],
    ...[answered(c, { status: 'unknown' }), answered(d, { status: 'unknown' }), overdue(d)],
    deadlineReached,
  ]

  test('behavior: pending quotes are answered from the rows', () => {
    const { effects } = apply([...atEveryStage, closedWith([a, b, c, d])])
    expect(acksOf(effects)).toEqual([
      [4, 'OUTCOME_UNKNOWN'],
      [1, 'accepted'],
      [2, 'accepted'],
      [3, 'accepted'],
    ])
    const without = apply([...atEveryStage, closedWith([])])
    expect(effectsOf(without.effects, 'ack').slice(1)).toEqual(
      [1, 2, 3].map((submission) => ({
        type: 'ack',
        submission,
        verdict: { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: ended.closedAt } },
      })),
    )
    // Later answers have no effect.
    for (const late of [judged(a), stored(b, 1), stored(c, 2), stored(d, 3)]) {
      expect(applyAuctionEvent(without.state, late)).toEqual({ state: without.state, effects: [] })
    }
  })

  test('behavior: after the deadline no quote is accepted or written', () => {
    const { effects } = apply([opened, a, deadlineReached, judged(a), submitted(5, second)])
    expect(effectsOf(effects, 'accept')).toEqual([])
    expect(effectsOf(effects, 'ack')).toEqual([
      {
        type: 'ack',
        submission: 5,
        verdict: { ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: rfq.closesAt } },
      },
    ])
    // A refusal needs no row.
    const refused = apply([opened, a, deadlineReached, judged(a, { code: 'OVERLOADED' }), closedWith([])])
    expect(codesOf(refused.effects)).toEqual(['OVERLOADED'])
  })

  test('behavior: its count includes refusals and unanswered submissions, each once', () => {
    const { effects, state } = apply([
      ...[opened, a, { ...a, submission: 11 }, b, judged(b), c, judged(c, { code: 'OVERLOADED' })],
      ...[
        submitted(6, second, { notional: 1_001n }),
        deadlineReached,
        { ...a, submission: 12 },
        submitted(13, d.backer),
      ],
    ])
    expect(effectsOf(effects, 'close')).toEqual([{ type: 'close', rejectedCount: 4, repeated: false }])
    expect(state.rejectedCount).toBe(4)
  })

  test('behavior: it is retried until it succeeds, and done is emitted once', () => {
    const failed: AuctionEvent = { type: 'closeFailed' }
    const early: AuctionEvent = { type: 'closeAnswered', answer: null }
    const open: AuctionEvent = { type: 'closeAnswered', answer: { closedNow: false, auction: rowsOf([]) } }
    const { effects, state } = apply([opened, deadlineReached, failed, early, open, closedWith([]), closedWith([])])
    expect(effectsOf(effects, 'close').map(({ repeated }) => repeated)).toEqual([false, true, true, true])
    expect(idsOf(effects)).toEqual(['started 0', 'done 1'])
    expect(effectsOf(effects, 'end')).toHaveLength(1)
    expect(state.phase).toBe('closed')
  })

  test('error: a long failure causes an error event and OUTCOME_UNKNOWN for pending quotes', () => {
    const late: AuctionEvent = { type: 'closeOverdue' }
    const { effects, state } = apply([...atEveryStage, late, { ...a, submission: 21 }, submitted(22, second)])
    expect(acksOf(effects)).toEqual([
      [4, 'OUTCOME_UNKNOWN'],
      [1, 'OUTCOME_UNKNOWN'],
      [2, 'OUTCOME_UNKNOWN'],
      [3, 'OUTCOME_UNKNOWN'],
      [21, 'OUTCOME_UNKNOWN'],
      [22, 'OUTCOME_UNKNOWN'],
    ])
    const error = effectsOf(effects, 'emit').at(-1)?.event as Extract<RFQStreamEvent, { type: 'error' }>
    expect(error).toMatchObject({ type: 'error', id: `${rfq.rfqId}:0`, data: { code: 'STORAGE_UNAVAILABLE' } })
    expect(state.phase).toBe('closing')
    // The auction continues and ends normally, and no submission is answered twice.
    const rest = apply([...atEveryStage, late, late, closedWith([a]), { ...a, submission: 23 }])
    expect(acksOf(rest.effects).slice(4)).toEqual([[23, 'accepted']])
    expect(idsOf(rest.effects)).toEqual(['started 0', 'error 0', 'error 0', 'quote 1', 'done 2'])
  })

  test('behavior: an interrupted auction says so', () => {
    const interrupted = { ...ended, interrupted: true }
    const { effects } = apply([
      ...[opened, deadlineReached],
      { type: 'closeAnswered', answer: { closedNow: true, auction: rowsOf([], interrupted) } },
    ])
    expect(effectsOf(effects, 'emit').at(-1)?.event.data).toMatchObject({ interrupted: true })
  })
})

describe('all effects of one event', () => {
  const a = submitted(1, first)
  /** Returns the last event's effects. */
  const last = (...events: AuctionEvent[]) => {
    const before = events.length === 1 ? 0 : apply(events.slice(0, -1)).effects.length
    return apply(events).effects.slice(before)
  }
  const typesOf = (effects: readonly AuctionEffect[]) => effects.map(({ type }) => type)

  test('default: an announced opening and a silent one', () => {
    expect(typesOf(last(opened))).toEqual(['emit', 'broadcast'])
    expect(typesOf(last({ ...opened, announced: false }))).toEqual(['emit'])
  })

  test('behavior: the same quote again during its judgement has no effect', () => {
    expect(last(opened, a, { ...a, submission: 2 })).toEqual([])
  })

  test('behavior: a quote with a notional of zero is refused with the reason that the contract uses', () => {
    const none = submitted(1, first, { notional: 0n, vrtAmount: 0n })
    const rejection = { code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' }
    expect(last(opened, none)).toEqual([{ type: 'ack', submission: 1, verdict: { ok: false, rejection } }])
  })

  test('behavior: a known row causes no read', () => {
    const record = rowsOf([a])
    expect(last(opened, a, judged(a), { type: 'rowsRead', record }, stored(a, 1))).toEqual([
      { type: 'ack', submission: 1, verdict: { ok: true, value: expect.objectContaining({ hash: a.hash }) } },
    ])
  })

  test('behavior: rows of a closed auction cause a close', () => {
    expect(typesOf(last(opened, { type: 'rowsRead', record: rowsOf([a]) }))).toEqual(['emit'])
    expect(typesOf(last(opened, { type: 'rowsRead', record: rowsOf([a], ended) }))).toEqual(['emit', 'close'])
  })

  test("behavior: another instance's close is sent to followers only", () => {
    expect(typesOf(last(opened, deadlineReached, closedWith([], false)))).toEqual(['emit', 'end'])
    expect(typesOf(last(opened, deadlineReached, closedWith([])))).toEqual(['emit', 'broadcast', 'end'])
  })

  test('error: a long failure of the close without pending quotes', () => {
    const [only, ...others] = last(opened, deadlineReached, { type: 'closeOverdue' })
    expect(others).toEqual([])
    expect(only).toMatchObject({
      type: 'emit',
      event: { data: { message: expect.stringMatching(/^The result has not been written/) } },
    })
  })

  test('behavior: a reported unknown outcome stays unknown on further unknown answers', () => {
    const unknown = answered(a, { status: 'unknown' })
    const again = last(opened, a, judged(a), overdue(a), unknown, { ...a, submission: 2 })
    expect(again).toEqual([
      { type: 'ack', submission: 2, verdict: { ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash: a.hash } } },
    ])
    expect(last(opened, a, judged(a), unknown, { ...a, submission: 2 })).toEqual([])
  })

  test('behavior: a timeout without a pending write has no effect', () => {
    expect(last(opened, overdue(a))).toEqual([])
  })
})

test('behavior: different auctions have different ids', () => {
  const elsewhere = { ...record, rfq: { ...rfq, rfqId: toRfqId('bb'.repeat(16)) } }
  const { effects } = apply([{ ...opened, record: elsewhere }])
  expect(effectsOf(effects, 'emit')[0]?.event.id).toBe(`${'bb'.repeat(16)}:0`)
})
