import { type Rejection, type RFQ, type SignedQuote, toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { applyAuctionEvent } from './applyAuctionEvent.ts'
import type { AuctionEffect, AuctionEvent, AuctionState } from './auctionState.ts'
import { entryOf, noEntries, withEntry } from './backerEntries.ts'
import { publicRfqId } from './rfqIds.ts'

const openedAt = 1_767_225_600_000
const now = BigInt(openedAt / 1000)
const poolId: Hex = `0x${'22'.repeat(32)}`
const seriesKey: Hex = `0x${'33'.repeat(32)}`
const rfq: RFQ = {
  rfqId: toRfqId('aa'.repeat(16)),
  poolId,
  seriesKey,
  expiry: openedAt / 1000 + 86_400 * 30,
  notional: 1_000n,
  maxVrtAmount: 500n,
  openedAt,
  closesAt: openedAt + 15_000,
}
const publicId = publicRfqId(rfq.rfqId)
const opened: AuctionEvent = { type: 'opened', rfq, publicId, backers: 3, lifetime: { min: 20, max: 86_400 } }
const backers = Array.from({ length: 16 }, (_, n): Address => numberToHex(n + 1, { size: 20 }))
const [first, second] = backers as [Address, Address]
const deadlineReached: AuctionEvent = { type: 'deadlineReached', at: rfq.closesAt }

function quoteOf(maker: Address, terms: Partial<SignedQuote> = {}): SignedQuote {
  return {
    maker,
    taker: zeroAddress,
    poolId,
    seriesKey,
    notional: 1_000n,
    vrtAmount: 10n,
    nonce: 0n,
    deadline: now + 60n,
    salt: `0x${'44'.repeat(32)}`,
    signature: '0x',
    ...terms,
  }
}

type Submitted = Extract<AuctionEvent, { type: 'quoteSubmitted' }>
type Judged = Extract<AuctionEvent, { type: 'quoteJudged' }>

function submitted(submission: number, backer: Address, terms: Partial<SignedQuote> = {}): Submitted {
  const hash = numberToHex(submission, { size: 32 })
  return {
    type: 'quoteSubmitted',
    submission,
    backer,
    quote: quoteOf(backer, terms),
    hash,
    // Several arrive within one millisecond.
    at: openedAt + Math.floor(submission / 4),
    now,
  }
}

function judged({ submission, backer, quote }: Submitted, rejection: Rejection | null = null): Judged {
  return { type: 'quoteJudged', submission, backer, quote, rejection }
}

function apply(events: readonly AuctionEvent[]) {
  let state: AuctionState | null = null
  const effects: AuctionEffect[] = []
  for (const event of events) {
    const next = applyAuctionEvent(state, event)
    state = next.state
    effects.push(...next.effects)
  }
  if (state === null) throw new TypeError('the auction was never opened')
  return { state, effects }
}

const effectsOf = <T extends AuctionEffect['type']>(effects: readonly AuctionEffect[], type: T) =>
  effects.filter((effect): effect is Extract<AuctionEffect, { type: T }> => effect.type === type)
const codesOf = (effects: readonly AuctionEffect[]) =>
  effectsOf(effects, 'ack').map(({ verdict }) => (verdict.ok ? 'accepted' : verdict.rejection.code))

describe('applyAuctionEvent', () => {
  test('default', () => {
    const a = submitted(1, first, { vrtAmount: 20n })
    const b = submitted(2, second, { vrtAmount: 10n })
    const { state, effects } = apply([opened, a, b, judged(b), judged(a), deadlineReached])

    expect(effects.map(({ type }) => type)).toEqual([
      'emit',
      'broadcast',
      'judge',
      'judge',
      'ack',
      'emit',
      'ack',
      'emit',
      'record',
      'emit',
      'broadcast',
      'close',
    ])
    expect(effectsOf(effects, 'emit').map(({ event }) => [event.type, event.id])).toEqual([
      ['started', `${rfq.rfqId}:0`],
      ['quote', `${rfq.rfqId}:1`],
      ['quote', `${rfq.rfqId}:2`],
      ['done', `${rfq.rfqId}:3`],
    ])
    const [{ result }] = effectsOf(effects, 'close') as [Extract<AuctionEffect, { type: 'close' }>]
    expect(result).toMatchObject({ ...rfq, status: 'closed', closedAt: rfq.closesAt, backers: 3, rejectedCount: 0 })
    expect(result.quotes.map(({ hash }) => hash)).toEqual([b.hash, a.hash])
    // 10 for 1000 over 30 days: 1 % in 30/365 of a year.
    expect(result.quotes[0]?.apr).toBeCloseTo((1 * 365) / 30, 4)
    expect(state).toMatchObject({ acceptedCount: 2, judging: 0 })
  })

  test('behavior: backers get the public id only, and the outcome holds the rank of each', () => {
    const a = submitted(1, first)
    const { effects } = apply([opened, a, judged(a), deadlineReached])
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
          closedAt: rfq.closesAt,
          quoteCount: 1,
          own: { [first]: { hash: a.hash, rank: 1 } },
        },
      },
    ])
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

  test('error: a second quote while the first is being judged, and after it was accepted', () => {
    const a = submitted(1, first)
    const { effects } = apply([opened, a, submitted(2, first), judged(a), submitted(3, first)])
    expect(effectsOf(effects, 'ack').map(({ submission, verdict }) => [submission, verdict])).toEqual([
      [2, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: null } }],
      [1, { ok: true, value: { hash: a.hash, receivedAt: a.at, closesAt: rfq.closesAt } }],
      [3, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: a.hash } }],
    ])
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
      'NOTIONAL_TOO_LARGE',
      'NOTIONAL_TOO_LARGE',
      'NOTIONAL_TOO_LARGE',
      'ALREADY_QUOTED',
    ])
  })

  test.each(['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const)(
    'behavior: %s is no attempt, however often it happens',
    (code) => {
      const failures = [1, 2, 3, 4].map((submission) => submitted(submission, first))
      const last = submitted(5, first)
      const { effects, state } = apply([
        opened,
        ...failures.flatMap((event) => [event, judged(event, { code })]),
        last,
        judged(last),
      ])
      expect(codesOf(effects)).toEqual([code, code, code, code, 'accepted'])
      expect(state).toMatchObject({ acceptedCount: 1, rejectedCount: 4 })
    },
  )

  test('behavior: equal prices rank by arrival, also when the later quote was judged first', () => {
    const [a, b, c] = [1, 2, 3].map((n) => submitted(n, backers[n] ?? first)) as [Submitted, Submitted, Submitted]
    const larger = submitted(4, first, { notional: 1_000n, vrtAmount: 10n })
    const smaller = submitted(5, second, { notional: 500n, vrtAmount: 5n })
    const ranking = (events: AuctionEvent[]) =>
      effectsOf(apply([opened, ...events, deadlineReached]).effects, 'close')[0]?.result.quotes.map(({ hash }) => hash)
    expect(ranking([a, b, c, judged(c), judged(a), judged(b)])).toEqual([a.hash, b.hash, c.hash])
    expect(ranking([a, b, judged(a), judged(b)])).toEqual([a.hash, b.hash])
    // At an equal rate the larger notional is first, before arrival counts.
    expect(ranking([smaller, larger, judged(smaller), judged(larger)])).toEqual([larger.hash, smaller.hash])
  })

  test('error: a verdict that comes after the close', () => {
    const a = submitted(1, first)
    const { effects, state } = apply([opened, a, deadlineReached, judged(a), submitted(2, second)])
    expect(codesOf(effects)).toEqual(['AUCTION_CLOSED', 'AUCTION_CLOSED'])
    const [done] = effectsOf(effects, 'emit').filter(({ event }) => event.type === 'done')
    expect(done?.event.data).toMatchObject({ quoteCount: 0, rejectedCount: 1 })
    expect(state).toMatchObject({ rejectedCount: 1, acceptedCount: 0, judging: 0 })
  })

  test('behavior: an aborted auction ends with an error event, records its quotes and closes once', () => {
    const a = submitted(1, first)
    const aborted: AuctionEvent = { type: 'aborted', at: openedAt + 5_000, code: 'OVERLOADED', message: 'restarting' }
    const { effects } = apply([opened, a, judged(a), aborted, deadlineReached, aborted])
    expect(effectsOf(effects, 'emit').at(-1)?.event).toEqual({
      type: 'error',
      id: `${rfq.rfqId}:2`,
      data: { code: 'OVERLOADED', message: 'restarting' },
    })
    expect(effectsOf(effects, 'record').map(({ result }) => result.quotes.length)).toEqual([1])
    expect(effectsOf(effects, 'close').map(({ aborted: flag }) => flag)).toEqual([true])
  })

  test('behavior: an address is one backer in upper and lower case', () => {
    const lower: Address = '0xabcdef0000000000000000000000000000000001'
    const upper: Address = '0xABCDEF0000000000000000000000000000000001'
    const a = submitted(1, lower)
    const { effects } = apply([opened, a, submitted(2, upper)])
    expect(codesOf(effects)).toEqual(['ALREADY_QUOTED'])
  })

  test('behavior: before the opening an event has no effect', () => {
    expect(applyAuctionEvent(null, deadlineReached)).toEqual({ state: null, effects: [] })
  })
})

// Histories: submissions by a few backers at few prices, verdicts in any order, the end anywhere or nowhere.

/** Shown with every failure; SEED=… repeats a run. */
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const numRuns = 200

type Verdict = 'accepted' | 'rejected' | 'unavailable'
type Move =
  | { kind: 'submit'; backer: number; price: (typeof prices)[number] }
  | { kind: 'judge'; index: number; verdict: Verdict }
  | { kind: 'end'; aborted: boolean }

/** Few prices, so that equal ones are frequent: two at one rate with different notionals, one dearer, two invalid. */
const prices = [
  { vrtAmount: 10n, notional: 1_000n },
  { vrtAmount: 5n, notional: 500n },
  { vrtAmount: 11n, notional: 1_000n },
  { vrtAmount: 10n, notional: 0n },
  { vrtAmount: 10n, notional: 2_000n },
] as const

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      // One backer submits often enough to use up its attempts.
      backer: fc.oneof(fc.constant(0), fc.nat(backers.length - 1), fc.nat(backers.length - 1)),
      price: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(prices[0], prices[1], prices[2]) },
        { weight: 2, arbitrary: fc.constantFrom(prices[3], prices[4]) },
      ),
    }),
  },
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('judge' as const),
      index: fc.nat(7),
      verdict: fc.constantFrom<Verdict>('accepted', 'accepted', 'rejected', 'unavailable'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), aborted: fc.boolean() }) },
)
// By default arrays stay far below their maximum length.
const histories = fc.array(move, { minLength: 30, maxLength: 100, size: 'max' }).map(historyOf)

function historyOf(moves: readonly Move[]): AuctionEvent[] {
  const events: AuctionEvent[] = [opened]
  const pending: Submitted[] = []
  moves.forEach((item, index) => {
    if (item.kind === 'submit') {
      const event = submitted(index + 1, backers[item.backer] ?? first, item.price)
      events.push(event)
      pending.push(event)
    } else if (item.kind === 'judge') {
      const [event] = pending.splice(item.index % Math.max(pending.length, 1), 1)
      if (!event) return
      const rejections: Record<Verdict, Rejection | null> = {
        accepted: null,
        rejected: { code: 'QUOTE_CANCELLED', hash: event.hash },
        unavailable: { code: 'OVERLOADED' },
      }
      events.push(judged(event, rejections[item.verdict]))
    } else {
      const at = openedAt + index + 1
      events.push(
        item.aborted
          ? { type: 'aborted', at, code: 'OVERLOADED', message: 'restarting' }
          : { type: 'deadlineReached', at },
      )
    }
  })
  return events
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

/** Counts how often a property met each case, and asserts that it met all of them often enough to mean something. */
function createCoverage<Case extends string>(cases: readonly Case[], least: number) {
  const counts = Object.fromEntries(cases.map((name) => [name, 0])) as Record<Case, number>
  return {
    met(name: Case, times = 1) {
      counts[name] += times
    },
    expectAll() {
      const rare = cases.filter((name) => counts[name] < least)
      expect({ seed, rare, counts }).toEqual({ seed, rare: [], counts })
    },
  }
}

describe('applyAuctionEvent, for any history', () => {
  test('behavior: closes at most once, and exactly once when the deadline comes', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { effects } = apply([...events, deadlineReached])
        for (const type of ['close', 'record'] as const) expect(effectsOf(effects, type)).toHaveLength(1)
        const ends = effectsOf(effects, 'emit').filter(({ event }) => event.type === 'done' || event.type === 'error')
        expect(ends).toHaveLength(1)
        expect(effectsOf(effects, 'emit').at(-1)).toBe(ends[0])
      }),
      { seed, numRuns },
    )
  })

  test('behavior: a backer has at most one accepted quote and one that is being judged, and three attempts', () => {
    const coverage = createCoverage(['accepted', 'exhausted'], 20)
    fc.assert(
      fc.property(histories, (events) => {
        let state: AuctionState | null = null
        const accepted = new Map<Address, number>()
        const judging = new Map<Address, number>()
        const attempts = new Map<Address, number>()
        const byId = new Map<number, Address>()
        for (const event of events) {
          if (event.type === 'quoteSubmitted') byId.set(event.submission, event.backer)
          const open = state?.closedAt === null
          const next = applyAuctionEvent(state, event)
          state = next.state
          for (const { backer } of effectsOf(next.effects, 'judge')) {
            expect(judging.get(backer) ?? 0).toBe(0)
            expect(accepted.get(backer) ?? 0).toBe(0)
            expect(attempts.get(backer) ?? 0).toBeLessThan(3)
            judging.set(backer, 1)
          }
          for (const { submission, verdict } of effectsOf(next.effects, 'ack')) {
            const backer = byId.get(submission) ?? zeroAddress
            const wasBusy = (judging.get(backer) ?? 0) + (accepted.get(backer) ?? 0) > 0
            if (event.type === 'quoteJudged') judging.set(backer, 0)
            if (verdict.ok) {
              accepted.set(backer, (accepted.get(backer) ?? 0) + 1)
              coverage.met('accepted')
            } else if (open && verdict.rejection.code === 'ALREADY_QUOTED') {
              // Refused for a reason: a quote of its own, or three attempts.
              if (!wasBusy) {
                expect(attempts.get(backer)).toBe(3)
                coverage.met('exhausted')
              }
            } else if (open && verdict.rejection.code !== 'OVERLOADED') {
              attempts.set(backer, (attempts.get(backer) ?? 0) + 1)
            }
          }
        }
        expect([...accepted.values()].every((count) => count === 1)).toBe(true)
      }),
      { seed, numRuns },
    )
    coverage.expectAll()
  })

  test('behavior: nothing is accepted after the close, and the result no longer changes', () => {
    const coverage = createCoverage(['late submission', 'late verdict'], 50)
    fc.assert(
      fc.property(histories, histories, (before, after) => {
        const closed = apply([...before, deadlineReached])
        // Late verdicts on the submissions that were being judged, then late submissions.
        const pending = pendingAfter(before)
        const late = [...pending.map((event) => judged(event)), ...after.slice(1)]
        const later = apply([...before, deadlineReached, ...late])
        const codes = codesOf(later.effects.slice(closed.effects.length))
        expect(codes.every((code) => code === 'AUCTION_CLOSED')).toBe(true)
        coverage.met('late verdict', pending.length)
        coverage.met('late submission', codes.length - pending.length)
        expect(later.state).toMatchObject({
          acceptedCount: closed.state.acceptedCount,
          rejectedCount: closed.state.rejectedCount,
          closedAt: closed.state.closedAt,
          judging: 0,
        })
      }),
      { seed, numRuns },
    )
    coverage.expectAll()
  })

  test('behavior: a replay gives the same states and effects, and no state is ever changed', () => {
    fc.assert(
      fc.property(histories, (events) => {
        let state: AuctionState | null = null
        const effects: AuctionEffect[] = []
        for (const event of deepFreeze(events)) {
          const next = applyAuctionEvent(state, event)
          state = deepFreeze(next.state)
          effects.push(...deepFreeze(next.effects))
        }
        expect(apply(events)).toEqual({ state, effects })
      }),
      { seed, numRuns: 50 },
    )
  })

  test('behavior: the ranking is by rate, then by notional, then by arrival, and holds every accepted quote', () => {
    const coverage = createCoverage(
      ['rate', 'notional', 'arrival', 'arrival in one millisecond', 'judged out of order'],
      10,
    )
    fc.assert(
      fc.property(histories, (events) => {
        const { effects } = apply([...events, deadlineReached])
        const [close] = effectsOf(effects, 'close')
        const quotes = close?.result.quotes ?? []
        const accepted = effectsOf(effects, 'ack').flatMap(({ verdict }) => (verdict.ok ? [verdict.value.hash] : []))
        expect(quotes.map(({ hash }) => hash).sort()).toEqual([...accepted].sort())
        for (const [index, quote] of quotes.entries()) {
          const before = quotes[index - 1]
          if (!before) continue
          const [a, b] = [before.quote, quote.quote]
          const [left, right] = [a.vrtAmount * b.notional, b.vrtAmount * a.notional]
          expect(left <= right).toBe(true)
          if (left < right) {
            coverage.met('rate')
            continue
          }
          expect(a.notional >= b.notional).toBe(true)
          if (a.notional > b.notional) {
            coverage.met('notional')
            continue
          }
          // The hash is the number of the arrival.
          expect(BigInt(before.hash)).toBeLessThan(BigInt(quote.hash))
          coverage.met('arrival')
          if (before.receivedAt === quote.receivedAt) coverage.met('arrival in one millisecond')
          if (accepted.indexOf(before.hash) > accepted.indexOf(quote.hash)) coverage.met('judged out of order')
        }
        for (const effect of effectsOf(effects, 'broadcast')) {
          if (effect.subject !== 'auction_result') continue
          const ranks = quotes.map(({ hash, quote }, index) => [quote.maker.toLowerCase(), { hash, rank: index + 1 }])
          expect(effect.outcome.own).toEqual(Object.fromEntries(ranks))
        }
      }),
      { seed, numRuns },
    )
    coverage.expectAll()
  })

  test('behavior: every submission is answered exactly once, and the counts add up', () => {
    const coverage = createCoverage(
      [
        'accepted',
        'AUCTION_CLOSED',
        'ALREADY_QUOTED',
        'NOTIONAL_TOO_LARGE',
        'NOT_EXECUTABLE',
        'QUOTE_CANCELLED',
        'OVERLOADED',
      ],
      50,
    )
    fc.assert(
      fc.property(histories, (events) => {
        const all = [...events, deadlineReached, ...pendingAfter(events).map((event) => judged(event))]
        const { state, effects } = apply(all)
        const acks = effectsOf(effects, 'ack')
        const submissions = all.filter((event) => event.type === 'quoteSubmitted')
        expect(acks.map(({ submission }) => submission).sort((a, b) => a - b)).toEqual(
          submissions.map(({ submission }) => submission),
        )
        for (const code of codesOf(effects)) coverage.met(code as 'accepted')
        const end = all.findIndex(({ type }) => type === 'deadlineReached' || type === 'aborted')
        const inTime = all.slice(0, end).filter(({ type }) => type === 'quoteSubmitted').length
        expect(state.acceptedCount + state.rejectedCount).toBe(inTime)
        expect(acks.filter(({ verdict }) => verdict.ok)).toHaveLength(state.acceptedCount)
        expect(effectsOf(effects, 'close')[0]?.result.rejectedCount).toBe(state.rejectedCount)
        expect(state.judging).toBe(0)
      }),
      { seed, numRuns },
    )
    coverage.expectAll()
  })
})

/** The submissions that are being judged after these events. */
function pendingAfter(events: readonly AuctionEvent[]): Submitted[] {
  const pending = new Map<number, Submitted>()
  for (const event of events) if (event.type === 'quoteSubmitted') pending.set(event.submission, event)
  for (const { submission } of effectsOf(apply(events).effects, 'ack')) pending.delete(submission)
  return [...pending.values()]
}

describe('backer entries', () => {
  test('behavior: a change leaves the old map and every other entry as they were', () => {
    const many = Array.from({ length: 1_000 }, (_, n): Address => numberToHex(n * 7919, { size: 20 }))
    let entries = noEntries
    many.forEach((backer, attempts) => {
      entries = withEntry(entries, backer, { attempts, judging: null, accepted: null })
    })
    expect(many.every((backer, attempts) => entryOf(entries, backer).attempts === attempts)).toBe(true)
    expect(entryOf(noEntries, first)).toEqual({ attempts: 0, judging: null, accepted: null })
  })
})
