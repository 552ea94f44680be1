// Tests an auction's timers, answers and followers against a scripted store. Long because all its tests share that
// fixture.

import type { Rejection, RFQResult } from '@firmquote/core'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { answerOf, follow } from '../../../test/startHub.ts'
import { acceptedQuotes, closesAt, hashOf, newAuction, newAuctionQuote, openedAt } from '../../../test/storedQuotes.ts'
import type { AuctionRecord } from '../../domain/auctionRecord.ts'
import type { AuctionEffect } from '../../domain/auctionState.ts'
import type { CandidateQuote } from '../../domain/backerEntries.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { AcceptOutcome, NewClose, Store } from '../../ports/store.ts'
import { createLocalAuction, type JoinedAuction, type LocalAuction, type LocalAuctionHost } from './localAuction.ts'

/** A pending call to the store or the judge, which the test answers. */
type Asked<Given, Answer> = {
  given: Given
  at: number
  answer(answer: Answer): Promise<void>
  fail(error: Error): Promise<void>
}

let clock: FakeClock
let started: number
let quotes: Asked<{ hash: string; at: number }, AcceptOutcome>[]
let closes: Asked<NewClose, Awaited<ReturnType<Store['closeAuction']>>>[]
let reads: Asked<unknown, AuctionRecord | null>[]
let judged: Asked<CandidateQuote, Rejection | null>[]
let announced: AuctionEffect[]
let accepted: number[]
let ended: AuctionRecord[]
let logs: string[]

const durationMs = closesAt - openedAt
const { key: _, ...opened } = newAuction(undefined, { taker: newAuctionQuote(1).quote.taker, maxVrtAmount: 100n })
const record: AuctionRecord = { ...opened, quotes: [], close: null }
const full = new StorageUnavailableError('The disk is full.')
const unknown = new OutcomeUnknownError('The writer has ended.')

beforeEach(() => {
  clock = createFakeClock(openedAt - 777)
  clock.advance(777)
  started = clock.monotonic()
  ;[quotes, closes, reads, judged, announced, accepted, ended, logs] = [[], [], [], [], [], [], [], []]
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function ask<Given, Answer>(list: Asked<Given, Answer>[], given: Given): Promise<Answer> {
  return new Promise((resolve, reject) => {
    list.push({
      given,
      at: clock.monotonic() - started,
      answer: (answer) => {
        resolve(answer)
        return turn()
      },
      fail: (error) => {
        reject(error)
        return turn()
      },
    })
  })
}

/** Starts an auction that was just opened by this process or, with `elsewhere`, by another one. */
function start(
  { elsewhere = false, ...arrival }: Partial<JoinedAuction> & { elsewhere?: boolean } = {},
  withClock: LocalAuctionHost['deps']['clock'] = clock,
): LocalAuction {
  const write = (level: string) => (_: unknown, message: string) => void logs.push(`${level}: ${message}`)
  const store = {
    acceptQuote: ({ hash }, at) => ask(quotes, { hash, at }),
    closeAuction: (close) => ask(closes, close),
    findAuction: (id) => ask(reads, id),
  } as Pick<Store, 'acceptQuote' | 'closeAuction' | 'findAuction'> as Store
  return createLocalAuction(
    {
      deps: {
        clock: withClock,
        store,
        log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      },
      judge: async (candidate) => ({ rejection: await ask(judged, candidate) }),
      lifetime: { min: 20, max: 86_400 },
      announce: (effect) => void announced.push(effect),
      accepted: (_publicRfqId, seq) => void accepted.push(seq),
      ended: (_auction, final) => void ended.push(final),
      abandoned: () => {},
      quoted: () => {},
      countAnswers: () => null,
    },
    {
      ...{ record, announced: true, closeDelayMs: 0, isInterrupted: () => false },
      ...(elsewhere ? {} : { startedAt: clock.monotonic() }),
      ...arrival,
    },
  )
}

const send = (auction: LocalAuction, number: number) => {
  const { quote, hash } = newAuctionQuote(number)
  return auction.submit({ backer: quote.maker, quote, hash })
}
/** Sends a quote that passes all checks, so that it reaches the store. */
const sendGood = async (auction: LocalAuction, number = 1) => {
  const answer = send(auction, number)
  await judged.at(-1)?.answer(null)
  return { answer, asked: quotes.at(-1) as (typeof quotes)[number] }
}
const acceptedAs = (seq: number): AcceptOutcome => ({ status: 'accepted', seq, receivedAt: openedAt })
const rowsOf = (...numbers: number[]) => acceptedQuotes(numbers.map((number) => newAuctionQuote(number)))
const closed = (more: Partial<AuctionRecord> = {}) => ({
  closedNow: true,
  auction: { ...record, close: { closedAt: closesAt, rejectedCount: 0, interrupted: false }, ...more },
})
const refused = (rejection: object) => ({ ok: false, rejection })
/**
 * Advances time until the list contains this many calls. Returns the time of each call, in milliseconds after the
 * auction opens.
 */
async function whenAsked<Given, Answer>(list: Asked<Given, Answer>[], times: number, error: Error): Promise<number[]> {
  for (let steps = 0; steps < 1_000 && list.length < times; steps += 1) {
    const last = list.at(-1)
    await last?.fail(error)
    for (let waited = 0; waited < 30 && list.at(-1) === last; waited += 1) {
      clock.advance(100)
      await turn()
    }
  }
  return list.map(({ at }) => at)
}

describe('time', () => {
  test('default: the close is written at the deadline, with the known rows', async () => {
    const auction = start()
    expect(announced).toMatchObject([{ subject: 'rfq', rfq: { rfqId: record.publicRfqId } }])
    const { asked } = await sendGood(auction)
    clock.advance(3)
    expect(asked.given).toEqual({ hash: hashOf(1), at: openedAt })
    await asked.answer(acceptedAs(1))
    // The timers for the deadline and for abandonment.
    expect(clock.pending()).toBe(2)
    clock.advance(durationMs - 4)
    expect(closes).toEqual([])
    clock.advance(1)
    const { publicRfqId } = record
    expect(closes.map(({ given }) => given)).toEqual([
      { publicRfqId, at: closesAt, rejectedCount: 0, interrupted: false, knownCount: 1 },
    ])
    // The store returns only rows that the auction does not know yet; they are merged with the known rows.
    await closes[0]?.answer(closed({ quotes: [] }))
    expect(ended).toMatchObject([{ quotes: [{ hash: hashOf(1), seq: 1 }], close: { closedAt: closesAt } }])
    expect([clock.pending(), logs]).toEqual([0, ['info: auction closed']])
  })

  test('behavior: a resumed auction is not announced, and is interrupted if no instance was running', async () => {
    start({ announced: false, isInterrupted: () => true })
    expect(announced).toEqual([])
    clock.advance(durationMs)
    expect(closes[0]?.given.interrupted).toBe(true)
  })

  test.each([
    ['behind', -30_000, openedAt],
    ['ahead', 30_000, closesAt],
  ])(
    'behavior: with a wall clock that is %s, the time of a joined auction stays within its duration',
    async (_, ms, at) => {
      clock.jump(ms)
      await sendGood(start({ announced: false, elsewhere: true }))
      expect(judged[0]?.given.receivedAt).toBe(at)
    },
  )

  test('behavior: an early timer does not close the auction', async () => {
    const early = { ...clock, after: (ms: number, callback: () => void) => clock.after(ms > 5 ? ms - 5 : ms, callback) }
    start({ closeDelayMs: 500 }, early)
    clock.advance(durationMs + 499)
    expect(closes).toEqual([])
    clock.advance(1)
    expect(closes.map(({ given }) => given.at)).toEqual([closesAt + 500])
  })

  test('behavior: fractions of a millisecond are waited for, and rows have whole milliseconds', async () => {
    const half = { ...clock, monotonic: () => clock.monotonic() + 0.5 }
    const auction = start({ startedAt: started + 0.75 }, half)
    clock.advance(10)
    const { asked } = await sendGood(auction)
    // 9.75 ms after the opening.
    expect(asked.given.at).toBe(openedAt + 9)
    expect(judged[0]?.given.arrival).toBe((openedAt + 9) * 1_000 + 750)
    clock.advance(durationMs - 10)
    expect(closes).toEqual([])
    clock.advance(1)
    expect(closes.map(({ given }) => given.at)).toEqual([closesAt])
  })

  test('behavior: after a restart a new quote ranks after existing ones for any clock', async () => {
    const rows = rowsOf(1, 2, 3).map((quote, index) => ({
      ...quote,
      arrival: openedAt * 1_000 + ([7, 9_000, 8][index] ?? 0),
    }))
    const auction = start({ announced: false, record: { ...record, quotes: rows } })
    void send(auction, 4)
    void send(auction, 5)
    expect(judged.map(({ given }) => given.arrival - openedAt * 1_000)).toEqual([9_001, 9_002])
  })
})

describe('a quote', () => {
  test('default: a stored quote is acknowledged and sent to followers and other instances', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const { answer, asked } = await sendGood(auction)
    expect(await answerOf(answer)).toBe('waiting')
    await asked.answer(acceptedAs(1))
    expect(await answer).toEqual({ ok: true, value: { hash: hashOf(1), receivedAt: openedAt, closesAt } })
    expect(told.places()).toEqual(['started 0', 'quote 1'])
    expect([accepted, reads]).toEqual([[1], []])
    // Only the deadline timer is pending.
    expect(clock.pending()).toBe(1)
  })

  test('error: its maker has another quote: the rows are read', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const { answer, asked } = await sendGood(auction)
    await asked.answer({ status: 'quoted', hash: hashOf(9) })
    expect(await answer).toEqual(refused({ code: 'ALREADY_QUOTED', hash: hashOf(9) }))
    expect(reads.map(({ given }) => given)).toEqual([{ publicRfqId: record.publicRfqId }])
    await reads[0]?.answer({ ...record, quotes: rowsOf(2) })
    expect(told.places()).toEqual(['started 0', 'quote 1'])
    expect([accepted, reads.length, clock.pending()]).toEqual([[], 1, 1])
  })

  test.each([
    ['warn', full],
    ['error', new TypeError('a bug')],
  ])('error: nothing was stored: the quote is refused, and the failure is logged as %s', async (level, error) => {
    const { answer, asked } = await sendGood(start())
    await asked.fail(error)
    expect(await answer).toEqual(refused({ code: 'STORAGE_UNAVAILABLE' }))
    expect(logs).toEqual([`${level}: failed to write a quote`])
    expect([accepted, clock.pending()]).toEqual([[], 2])
  })

  test('behavior: a write with an unknown outcome is retried with growing pauses', async () => {
    const auction = start()
    const { answer } = await sendGood(auction)
    expect(await whenAsked(quotes, 6, unknown)).toEqual([0, 100, 300, 700, 1_500, 2_500])
    expect(logs).toEqual([
      'warn: failed to write a quote',
      ...Array.from({ length: 4 }, () => 'debug: failed to write a quote'),
    ])
    // For another quote, retries start with short delays again.
    const other = send(auction, 2)
    await judged.at(-1)?.answer(null)
    const asked = quotes.at(-1)
    expect(asked?.given.hash).toBe(hashOf(2))
    await asked?.fail(unknown)
    clock.advance(100)
    expect(quotes.at(-1)?.given.hash).toBe(hashOf(2))
    await quotes.at(-1)?.answer(acceptedAs(1))
    expect((await other).ok).toBe(true)
    await quotes[5]?.answer(acceptedAs(2))
    expect((await answer).ok).toBe(true)
    expect([accepted, clock.pending()]).toEqual([[1, 2], 2])
  })

  test('error: after five seconds the backer gets OUTCOME_UNKNOWN; retries continue', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const { answer } = await sendGood(auction)
    await quotes[0]?.fail(unknown)
    clock.advance(4_999)
    expect(await answerOf(answer)).toBe('waiting')
    clock.advance(1)
    expect(await answer).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    expect(quotes).toHaveLength(2)
    await quotes[1]?.answer(acceptedAs(1))
    expect([told.places(), accepted]).toEqual([['started 0', 'quote 1'], [1]])
    expect(await answerOf(send(auction, 1))).toMatchObject({ ok: true })
  })

  test('behavior: a failing follower does not block other answers', async () => {
    const auction = start()
    auction.follow().listen({
      event: ({ type }) => {
        if (type === 'quote') throw new TypeError('a bug')
      },
      end() {},
    })
    const { answer, asked } = await sendGood(auction)
    await asked.answer(acceptedAs(1))
    expect((await answer).ok).toBe(true)
    expect([accepted, logs]).toEqual([[1], ['error: failed to apply an auction effect']])
  })

  test('behavior: verdicts and answers after a stop have no effect', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const { answer, asked } = await sendGood(auction)
    const judging = send(auction, 2)
    auction.stop()
    expect(await answer).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(1) }))
    expect(await judging).toEqual(refused({ code: 'OUTCOME_UNKNOWN', hash: hashOf(2) }))
    await judged[1]?.answer(null)
    await asked.fail(unknown)
    auction.close()
    clock.advance(60_000)
    expect([quotes.length, closes, told.places(), told.ended]).toEqual([1, [], ['started 0'], 1])
    expect(clock.pending()).toBe(0)
  })
})

describe('the rows', () => {
  test('behavior: a follower that stops the instance on their event leaves no timer', async () => {
    const auction = start()
    auction.readRows()
    auction.follow().listen({ event: ({ type }) => void (type === 'quote' && auction.stop()), end() {} })
    await reads[0]?.answer(closed({ quotes: rowsOf(1) }).auction)
    expect(clock.pending()).toBe(0)
  })

  test('behavior: a request during a read causes one more read', async () => {
    const auction = start()
    const told = follow(auction.follow())
    auction.readRows()
    expect(reads).toHaveLength(1)
    for (const _ of [1, 2]) auction.readRows()
    expect(reads).toHaveLength(1)
    await reads[0]?.answer({ ...record, quotes: rowsOf(1) })
    expect(reads).toHaveLength(2)
    await reads[1]?.answer({ ...record, quotes: rowsOf(1, 2) })
    expect(reads).toHaveLength(2)
    expect(told.places()).toEqual(['started 0', 'quote 1', 'quote 2'])
    auction.readRows()
    expect(reads).toHaveLength(3)
  })

  test('error: a failed read is logged and missing rows change nothing; the next read works', async () => {
    const auction = start()
    auction.readRows()
    await reads[0]?.fail(full)
    expect(logs).toEqual(['warn: failed to read auction rows'])
    auction.readRows()
    await reads[1]?.answer(null)
    auction.readRows()
    expect([reads.length, auction.state().acceptedCount, logs.length]).toEqual([3, 0, 1])
  })

  test('behavior: after a stop they are not read again', async () => {
    const auction = start()
    auction.readRows()
    auction.readRows()
    auction.stop()
    await reads[0]?.answer(record)
    expect(reads).toHaveLength(1)
  })
})

describe('a close that fails', () => {
  test('behavior: it is retried with growing pauses; only the first failure is a warning', async () => {
    start()
    clock.advance(durationMs)
    const times = await whenAsked(closes, 7, full)
    expect(times.map((at) => at - durationMs)).toEqual([0, 100, 300, 700, 1_500, 2_500, 3_500])
    const message = 'failed to write an auction result; will retry'
    expect(logs).toEqual([`warn: ${message}`, ...Array.from({ length: 5 }, () => `debug: ${message}`)])
    await closes.at(-1)?.answer(closed())
    expect([ended.length, clock.pending()]).toEqual([1, 0])
  })

  test("behavior: it is retried when the store's clock is before the deadline", async () => {
    start()
    clock.advance(durationMs)
    await closes[0]?.answer(null)
    expect([closes.length, logs]).toEqual([1, []])
    clock.advance(100)
    expect(closes.map(({ given }) => given.at)).toEqual([closesAt, closesAt + 100])
  })

  test('error: after ten seconds followers get an error; retries continue', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const result = auction.follow().result()
    clock.advance(durationMs)
    clock.advance(9_999)
    expect([told.places().length, told.ended]).toEqual([1, 0])
    clock.advance(1)
    expect(told.events.at(-1)).toMatchObject({ type: 'error' })
    expect(told.ended).toBe(1)
    expect(await answerOf(result)).toEqual({ error: 'StorageUnavailableError' })
    // The error is not an auction event, so a later stream does not contain it.
    const later = follow(auction.follow())
    expect(later.places()).toEqual(['started 0'])
    await closes[0]?.answer(closed())
    expect([later.places(), later.ended]).toEqual([['started 0', 'done 1'], 1])
    expect(told.events).toHaveLength(2)
  })
})

describe('those who follow', () => {
  test('default: each event once, then the end and the result', async () => {
    const auction = start()
    const told = follow(auction.follow())
    const result = auction.follow().result()
    clock.advance(durationMs)
    expect(told.ended).toBe(0)
    await closes[0]?.answer(closed({ quotes: rowsOf(1) }))
    expect([told.places(), told.ended]).toEqual([['started 0', 'quote 1', 'done 2'], 1])
    const final: RFQResult | 'waiting' | { error: string } = await answerOf(result)
    expect(final).toMatchObject({ status: 'closed', quotes: [{ hash: hashOf(1) }] })
    const late = follow(auction.follow(), 1)
    expect([late.places(), late.ended]).toEqual([['done 2'], 1])
    expect(await answerOf(auction.follow().result())).toEqual(final)
    expect(auction.result()).toEqual(final)
    expect(await send(auction, 2)).toEqual(refused({ code: 'AUCTION_CLOSED', closedAt: closesAt }))
  })

  test('behavior: events after a given one, later ones included; errors always', async () => {
    const auction = start()
    const told = follow(auction.follow(), 1)
    auction.readRows()
    await reads[0]?.answer({ ...record, quotes: rowsOf(1, 2) })
    expect(told.places()).toEqual(['quote 2'])
    const behind = follow(auction.follow(), 9)
    clock.advance(durationMs)
    clock.advance(10_000)
    expect(behind.events.map(({ type }) => type)).toEqual(['error'])
  })

  test('behavior: no event after they have left', async () => {
    const auction = start()
    const [stays, leaves] = [follow(auction.follow()), follow(auction.follow())]
    leaves.leave()
    auction.readRows()
    await reads[0]?.answer({ ...record, quotes: rowsOf(1) })
    auction.endFollowing()
    expect([stays.places(), stays.ended]).toEqual([['started 0', 'quote 1'], 1])
    expect([leaves.places(), leaves.ended]).toEqual([['started 0'], 0])
  })

  test.each(['endFollowing', 'stop'] as const)(
    'error: the instance stops (%s): other instances continue the auction',
    async (end) => {
      const auction = start()
      const told = follow(auction.follow())
      const result = auction.follow().result()
      auction[end]()
      expect(await answerOf(result)).toEqual({ error: 'OverloadedError' })
      expect(told.ended).toBe(1)
      // Each stream ends only once.
      auction.stop()
      expect(told.ended).toBe(1)
      expect(await answerOf(auction.follow().result())).toEqual({ error: 'OverloadedError' })
      expect(follow(auction.follow())).toMatchObject({ ended: 1 })
      expect(await send(auction, 1)).toEqual(refused({ code: 'OVERLOADED' }))
    },
  )

  test('behavior: the result so far counts refusals', async () => {
    const auction = start()
    const answer = send(auction, 1)
    await judged[0]?.answer({ code: 'CHAIN_UNAVAILABLE' })
    expect(await answer).toEqual(refused({ code: 'CHAIN_UNAVAILABLE' }))
    expect(auction.result()).toMatchObject({ status: 'open', rejectedCount: 1, quotes: [] })
  })
})
