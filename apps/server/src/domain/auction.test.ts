import { comparePrices, type Rejection, type RFQ, type SignedQuote, toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { step } from './auction.ts'
import type { AuctionEffect, AuctionEvent, AuctionState } from './auctionState.ts'
import { publicRfqId } from './rfqIds.ts'
import { noSlots, slotOf, withSlot } from './slots.ts'

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
const backers = [1, 2, 3, 4].map((n): Address => numberToHex(n, { size: 20 }))
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
    at: openedAt + submission,
    now,
  }
}

function judged({ submission, backer, quote }: Submitted, rejection: Rejection | null = null): Judged {
  return { type: 'quoteJudged', submission, backer, quote, rejection }
}

function run(events: readonly AuctionEvent[]) {
  let state: AuctionState | null = null
  const effects: AuctionEffect[] = []
  for (const event of events) {
    const next = step(state, event)
    state = next.state
    effects.push(...next.effects)
  }
  if (state === null) throw new TypeError('the auction was never opened')
  return { state, effects }
}

const chosen = <T extends AuctionEffect['type']>(effects: readonly AuctionEffect[], type: T) =>
  effects.filter((effect): effect is Extract<AuctionEffect, { type: T }> => effect.type === type)
const codeOf = (effects: readonly AuctionEffect[]) =>
  chosen(effects, 'ack').map(({ verdict }) => (verdict.ok ? 'accepted' : verdict.rejection.code))

describe('step', () => {
  test('default', () => {
    const a = submitted(1, first, { vrtAmount: 20n })
    const b = submitted(2, second, { vrtAmount: 10n })
    const { state, effects } = run([opened, a, b, judged(b), judged(a), deadlineReached])

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
    expect(chosen(effects, 'emit').map(({ event }) => [event.type, event.id])).toEqual([
      ['started', `${rfq.rfqId}:0`],
      ['quote', `${rfq.rfqId}:1`],
      ['quote', `${rfq.rfqId}:2`],
      ['done', `${rfq.rfqId}:3`],
    ])
    const [{ result }] = chosen(effects, 'close') as [Extract<AuctionEffect, { type: 'close' }>]
    expect(result).toMatchObject({ ...rfq, status: 'closed', closedAt: rfq.closesAt, backers: 3, rejectedCount: 0 })
    expect(result.quotes.map(({ hash }) => hash)).toEqual([b.hash, a.hash])
    // 10 for 1000 over 30 days: 1 % in 30/365 of a year.
    expect(result.quotes[0]?.apr).toBeCloseTo((1 * 365) / 30, 4)
    expect(state).toMatchObject({ acceptedCount: 2, judging: 0 })
  })

  test('behavior: backers hear the public id only, and each only of its own place', () => {
    const a = submitted(1, first)
    const { effects } = run([opened, a, judged(a), deadlineReached])
    const broadcasts = chosen(effects, 'broadcast')
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
  ] as [string, Partial<SignedQuote>][])('error: %s is refused before anything is judged (%j)', (code, terms) => {
    const { effects, state } = run([opened, submitted(1, first, terms)])
    expect(codeOf(effects)).toEqual([code])
    expect(chosen(effects, 'judge')).toEqual([])
    expect(state.rejectedCount).toBe(1)
  })

  test('error: a second quote while the first is being judged, and after it was accepted', () => {
    const a = submitted(1, first)
    const { effects } = run([opened, a, submitted(2, first), judged(a), submitted(3, first)])
    expect(chosen(effects, 'ack').map(({ submission, verdict }) => [submission, verdict])).toEqual([
      [2, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: null } }],
      [1, { ok: true, value: { hash: a.hash, receivedAt: a.at, closesAt: rfq.closesAt } }],
      [3, { ok: false, rejection: { code: 'ALREADY_QUOTED', hash: a.hash } }],
    ])
  })

  test('behavior: a refused quote frees the slot, three times at most', () => {
    const tries = [1, 2, 3, 4].map((submission) => submitted(submission, first))
    const refusal: Rejection = { code: 'QUOTE_FILLED', hash: seriesKey }
    const { effects, state } = run([opened, ...tries.flatMap((event) => [event, judged(event, refusal)])])
    expect(codeOf(effects)).toEqual(['QUOTE_FILLED', 'QUOTE_FILLED', 'QUOTE_FILLED', 'ALREADY_QUOTED'])
    expect(state.rejectedCount).toBe(4)
  })

  test('behavior: what the service could not check costs no attempt', () => {
    const codes = ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const
    const tries = codes.map((code, index) => ({ event: submitted(index + 1, first), code }))
    const last = submitted(9, first)
    const { effects } = run([
      opened,
      ...tries.flatMap(({ event, code }) => [event, judged(event, { code })]),
      last,
      judged(last),
    ])
    expect(codeOf(effects)).toEqual([...codes, 'accepted'])
  })

  test('error: a verdict that comes after the close', () => {
    const a = submitted(1, first)
    const { effects, state } = run([opened, a, deadlineReached, judged(a), submitted(2, second)])
    expect(codeOf(effects)).toEqual(['AUCTION_CLOSED', 'AUCTION_CLOSED'])
    const [done] = chosen(effects, 'emit').filter(({ event }) => event.type === 'done')
    expect(done?.event.data).toMatchObject({ quoteCount: 0, rejectedCount: 1 })
    expect(state).toMatchObject({ rejectedCount: 1, acceptedCount: 0, judging: 0 })
  })

  test('behavior: an aborted auction tells the borrower why, keeps what it has and closes once', () => {
    const a = submitted(1, first)
    const aborted: AuctionEvent = { type: 'aborted', at: openedAt + 5_000, code: 'OVERLOADED', message: 'restarting' }
    const { effects } = run([opened, a, judged(a), aborted, deadlineReached, aborted])
    expect(chosen(effects, 'emit').at(-1)?.event).toEqual({
      type: 'error',
      id: `${rfq.rfqId}:2`,
      data: { code: 'OVERLOADED', message: 'restarting' },
    })
    expect(chosen(effects, 'record').map(({ result }) => result.quotes.length)).toEqual([1])
    expect(chosen(effects, 'close').map(({ aborted: flag }) => flag)).toEqual([true])
  })

  test('behavior: an address is one backer however it is written', () => {
    const lower: Address = '0xabcdef0000000000000000000000000000000001'
    const upper: Address = '0xABCDEF0000000000000000000000000000000001'
    const a = submitted(1, lower)
    const { effects } = run([opened, a, submitted(2, upper)])
    expect(codeOf(effects)).toEqual(['ALREADY_QUOTED'])
  })

  test('behavior: before the opening nothing happens', () => {
    expect(step(null, deadlineReached)).toEqual({ state: null, effects: [] })
  })
})

// A history: submissions by a few backers, verdicts in any order, the end anywhere (or never), more of the same after it.
type Move =
  | { kind: 'submit'; backer: number; vrt: bigint; notional: bigint }
  | { kind: 'judge'; pick: number; ok: boolean }
  | { kind: 'end'; aborted: boolean }
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      backer: fc.nat(3),
      vrt: fc.bigInt({ min: 0n, max: 6n }),
      notional: fc.constantFrom(0n, 500n, 1_000n, 2_000n),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('judge' as const), pick: fc.nat(5), ok: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), aborted: fc.boolean() }) },
)

function history(moves: readonly Move[]): AuctionEvent[] {
  const events: AuctionEvent[] = [opened]
  const pending: Submitted[] = []
  moves.forEach((item, index) => {
    if (item.kind === 'submit') {
      const event = submitted(index + 1, backers[item.backer] ?? first, {
        vrtAmount: item.vrt,
        notional: item.notional,
      })
      events.push(event)
      pending.push(event)
    } else if (item.kind === 'judge') {
      const [event] = pending.splice(item.pick % Math.max(pending.length, 1), 1)
      if (event) events.push(judged(event, item.ok ? null : { code: 'QUOTE_CANCELLED', hash: event.hash }))
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

describe('step, for any history', () => {
  const histories = fc.array(move, { maxLength: 60 }).map(history)

  test('behavior: closes at most once, and exactly once when the deadline comes', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { effects } = run([...events, deadlineReached])
        for (const type of ['close', 'record'] as const) expect(chosen(effects, type)).toHaveLength(1)
        const last = chosen(effects, 'emit').filter(({ event }) => event.type === 'done' || event.type === 'error')
        expect(last).toHaveLength(1)
        expect(chosen(effects, 'emit').at(-1)).toBe(last[0])
      }),
    )
  })

  test('behavior: a backer has at most one accepted quote and at most one that is being judged', () => {
    fc.assert(
      fc.property(histories, (events) => {
        let state: AuctionState | null = null
        const accepted = new Map<Address, number>()
        const running = new Map<Address, number>()
        const byId = new Map<number, Address>()
        for (const event of events) {
          if (event.type === 'quoteSubmitted') byId.set(event.submission, event.backer)
          const next = step(state, event)
          state = next.state
          for (const { backer } of chosen(next.effects, 'judge')) {
            expect(running.get(backer) ?? 0).toBe(0)
            running.set(backer, 1)
          }
          for (const { submission, verdict } of chosen(next.effects, 'ack')) {
            const backer = byId.get(submission) ?? zeroAddress
            if (event.type === 'quoteJudged') running.set(backer, 0)
            if (verdict.ok) accepted.set(backer, (accepted.get(backer) ?? 0) + 1)
          }
        }
        expect([...accepted.values()].every((count) => count === 1)).toBe(true)
      }),
    )
  })

  test('behavior: nothing is accepted after the close, and the result no longer changes', () => {
    fc.assert(
      fc.property(histories, histories, (before, after) => {
        const closed = run([...before, deadlineReached])
        const later = run([...before, deadlineReached, ...after.slice(1)])
        expect(codeOf(later.effects.slice(closed.effects.length)).every((code) => code === 'AUCTION_CLOSED')).toBe(true)
        expect(later.state).toMatchObject({
          acceptedCount: closed.state.acceptedCount,
          rejectedCount: closed.state.rejectedCount,
          closedAt: closed.state.closedAt,
        })
      }),
    )
  })

  test('behavior: a replay gives the same states and effects, and no state is ever changed', () => {
    fc.assert(
      fc.property(histories, (events) => {
        let state: AuctionState | null = null
        const effects: AuctionEffect[] = []
        for (const event of deepFreeze(events)) {
          const next = step(state, event)
          state = deepFreeze(next.state)
          effects.push(...deepFreeze(next.effects))
        }
        expect(run(events)).toEqual({ state, effects })
      }),
      { numRuns: 50 },
    )
  })

  test('behavior: the ranking is in order of price, ties in order of arrival', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const { effects } = run([...events, deadlineReached])
        const quotes = chosen(effects, 'close')[0]?.result.quotes ?? []
        quotes.slice(1).forEach((quote, index) => {
          const before = quotes[index]
          if (!before) return
          const order = comparePrices(before.quote, quote.quote)
          expect(order).toBeLessThanOrEqual(0)
          if (order === 0) expect(before.receivedAt).toBeLessThan(quote.receivedAt)
        })
      }),
    )
  })

  test('behavior: every submission is answered exactly once, and the counts add up', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const pending = new Map<number, Submitted>()
        const { effects } = run(events)
        for (const event of events) if (event.type === 'quoteSubmitted') pending.set(event.submission, event)
        for (const { submission } of chosen(effects, 'ack')) pending.delete(submission)
        const all = [...events, deadlineReached, ...[...pending.values()].map((event) => judged(event))]
        const whole = run(all)
        const acks = chosen(whole.effects, 'ack')
        const submissions = all.filter((event) => event.type === 'quoteSubmitted')
        expect(acks.map(({ submission }) => submission).sort((a, b) => a - b)).toEqual(
          submissions.map(({ submission }) => submission),
        )
        const end = all.findIndex(({ type }) => type === 'deadlineReached' || type === 'aborted')
        const inTime = all.slice(0, end).filter(({ type }) => type === 'quoteSubmitted').length
        expect(whole.state.acceptedCount + whole.state.rejectedCount).toBe(inTime)
        expect(acks.filter(({ verdict }) => verdict.ok)).toHaveLength(whole.state.acceptedCount)
        expect(chosen(whole.effects, 'close')[0]?.result.rejectedCount).toBe(whole.state.rejectedCount)
        expect(whole.state.judging).toBe(0)
      }),
    )
  })
})

describe('slots', () => {
  test('behavior: setting one slot leaves the old map and every other slot alone', () => {
    const many = Array.from({ length: 1_000 }, (_, n): Address => numberToHex(n * 7919, { size: 20 }))
    let slots = noSlots
    many.forEach((backer, attempts) => {
      slots = withSlot(slots, backer, { attempts, judging: null, accepted: null })
    })
    expect(many.every((backer, attempts) => slotOf(slots, backer).attempts === attempts)).toBe(true)
    expect(slotOf(noSlots, first)).toEqual({ attempts: 0, judging: null, accepted: null })
  })
})
