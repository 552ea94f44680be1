import type { Rejection, RFQProgress } from '@firmquote/core'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { closesAt, newAuction, newAuctionQuote, openedAt } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { AuctionRecord } from '../../domain/auctionRecord.ts'
import type { CandidateQuote } from '../../domain/backerEntries.ts'
import type { Store } from '../../ports/store.ts'
import { createLocalAuction, type JoinedAuction, type LocalAuction, type LocalAuctionHost } from './localAuction.ts'

let clock: FakeClock
let store: Store
let host: LocalAuctionHost
let auction: LocalAuction
let ended: AuctionRecord | null
/** Callbacks that resolve the pending judgements, in order. */
let verdicts: ((rejection: Rejection | null) => void)[]

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const { key: _, ...opened } = newAuction(undefined, { taker: newAuctionQuote(1).quote.taker })
const opening: JoinedAuction = {
  record: { ...opened, quotes: [], close: null },
  announced: true,
  closeDelayMs: 0,
  isInterrupted: () => false,
}

beforeEach(async () => {
  clock = createFakeClock(openedAt)
  store = await createSqliteStore({ file: ':memory:' })
  await store.openAuction(newAuction())
  verdicts = []
  ended = null
  host = {
    deps: { clock, store, log: silent },
    judge: (_candidate: CandidateQuote) =>
      new Promise((resolve) => verdicts.push((rejection) => resolve({ rejection }))),
    lifetime: { min: 20, max: 86_400 },
    announce() {},
    abandoned() {},
    accepted() {},
    quoted() {},
    countAnswers: () => null,
    ended(_auction, record) {
      ended = record
    },
  }
  auction = createLocalAuction(host, opening)
})
afterEach(async () => {
  auction.stop()
  await store.close()
})

const send = (number: number) => {
  const { quote, hash } = newAuctionQuote(number, undefined, { vrtAmount: 5n })
  return auction.submit({ backer: quote.maker, quote, hash })
}
const end = async () => {
  clock.advance(closesAt - openedAt)
  while (ended === null) await new Promise(setImmediate)
}

describe('the deadline', () => {
  const closedAfter = async (arrival: Partial<JoinedAuction>, milliseconds: number) => {
    const started = createLocalAuction(host, { ...opening, ...arrival })
    clock.advance(milliseconds)
    await new Promise(setImmediate)
    started.stop()
    return ended !== null
  }

  test('behavior: on the opening instance it ignores a jump of the wall clock during the write', async () => {
    auction.stop()
    const startedAt = clock.monotonic()
    clock.jump(1_000)
    expect(await closedAfter({ startedAt }, closesAt - openedAt - 1)).toBe(false)
    expect(await closedAfter({ startedAt }, 1)).toBe(true)
  })

  test('behavior: on other instances it follows from the wall clock, at most the full duration', async () => {
    auction.stop()
    clock.jump(1_000)
    expect(await closedAfter({}, closesAt - openedAt - 1_001)).toBe(false)
    clock.jump(-100_000)
    expect(await closedAfter({}, closesAt - openedAt)).toBe(true)
  })
})

describe('a service clock that was set', () => {
  test('behavior: the age of an auction of another instance follows from the clock, not from its time', async () => {
    auction.stop()
    const set = { ...host, deps: { ...host.deps, clock: { ...clock, ageOf: (at: number) => at - openedAt + 4_000 } } }
    clock.jump(3_600_000)
    const joined = createLocalAuction(set, opening)
    clock.advance(closesAt - openedAt - 4_001)
    expect(joined.isDue()).toBe(false)
    clock.advance(1)
    expect(joined.isDue()).toBe(true)
    joined.stop()
  })
})

describe('submit', () => {
  test('default: a quote that passes is in the rows when it is acknowledged', async () => {
    const answer = send(1)
    verdicts[0]?.(null)
    expect(await answer).toEqual({ ok: true, value: { hash: newAuctionQuote(1).hash, receivedAt: openedAt, closesAt } })
    expect((await store.findAuction({ rfqId: opened.rfq.rfqId }))?.quotes).toHaveLength(1)
  })

  test('behavior: quotes from one tick keep their order of arrival, whatever the order of their verdicts', async () => {
    const answers = [send(1), send(2)]
    verdicts[1]?.(null)
    await answers[1]
    verdicts[0]?.(null)
    await answers[0]
    const quotes = (await store.findAuction({ rfqId: opened.rfq.rfqId }))?.quotes ?? []
    expect(quotes.map(({ seq, hash }) => [seq, hash])).toEqual([
      [1, newAuctionQuote(2).hash],
      [2, newAuctionQuote(1).hash],
    ])
    expect((quotes[1]?.arrival ?? 0) - (quotes[0]?.arrival ?? 0)).toBe(-1)
  })

  test('behavior: a quote that is judged during the close is late', async () => {
    const answer = send(1)
    await end()
    expect(await answer).toEqual({ ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: closesAt } })
  })

  test('behavior: after the close, the refusal includes the time of the close', async () => {
    await end()
    expect(await send(1)).toEqual({ ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: closesAt } })
  })

  test('behavior: a stop leaves no submission without an answer', async () => {
    const answer = send(1)
    auction.stop()
    const { hash } = newAuctionQuote(1)
    expect(await answer).toEqual({ ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } })
    expect(await send(2)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
  })
})

describe('progress', () => {
  let counts: RFQProgress | null
  const follow = () => {
    const told: number[] = []
    auction.follow().listen({ event() {}, end() {}, progress: ({ answered }) => told.push(answered) })
    return told
  }
  const answer = (answered: number) => {
    counts = { answered, expected: 9, backers: 9 }
    auction.sendProgress()
  }
  beforeEach(() => {
    counts = null
    host.countAnswers = () => counts
  })

  test('behavior: the first count is sent at once, and later ones at most 4 times a second', () => {
    const told = follow()
    for (const answered of [1, 2, 3]) answer(answered)
    clock.advance(249)
    expect(told).toEqual([1])
    clock.advance(1)
    expect(told).toEqual([1, 3])
    answer(4)
    clock.advance(250)
    expect(told).toEqual([1, 3, 4])
    clock.advance(250)
    answer(5)
    expect(told).toEqual([1, 3, 4, 5])
  })

  test('behavior: an unchanged or unknown count is not sent', () => {
    const told = follow()
    auction.sendProgress()
    answer(1)
    clock.advance(250)
    answer(1)
    expect(told).toEqual([1])
  })

  test('behavior: a new follower gets only the latest count', () => {
    answer(1)
    clock.advance(250)
    answer(2)
    expect(follow()).toEqual([2])
  })

  test('behavior: a follower gets a count from before this instance joined the auction', () => {
    counts = { answered: 3, expected: 3, backers: 3 }
    expect(follow()).toEqual([3])
  })

  test('behavior: no count is sent after the deadline', async () => {
    answer(1)
    const told = follow()
    await end()
    answer(2)
    expect([told, follow()]).toEqual([[1], []])
  })
})
