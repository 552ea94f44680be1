import type { CollectedQuote, RFQAuctionEvent, RFQResult, RfqId } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { foldAuction, mergeAuctions } from './foldAuction.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const rfq = {
  rfqId: 'a' as RfqId,
  poolId: bytes32('2'),
  seriesKey: bytes32('3'),
  expiry: 2_000_000_000,
  notional: 250_000n,
  openedAt: 1_000,
  closesAt: 16_000,
}
const started: RFQAuctionEvent = { type: 'started', id: 'a:0', data: { ...rfq, backers: 3 } }
const done = (quoteCount: number): RFQAuctionEvent => ({
  type: 'done',
  id: 'a:9',
  data: { rfqId: 'a' as RfqId, closedAt: 16_000, quoteCount, rejectedCount: 2, ranking: [] },
})

function collected(number: number, vrtAmount: bigint, notional = rfq.notional): CollectedQuote {
  const quote = exampleQuote({ notional, vrtAmount })
  return { hash: numberToHex(number, { size: 32 }), quote, apr: 5, receivedAt: 1_000 + number }
}

const arrival = (data: CollectedQuote): RFQAuctionEvent => ({ type: 'quote', id: 'a:1', data })
const fold = (...events: RFQAuctionEvent[]) =>
  events.reduce<RFQResult | undefined>((auction, event) => foldAuction(auction, event), undefined)

describe('foldAuction', () => {
  test('default: an auction opens, collects best first, and closes', () => {
    const [dear, cheap] = [collected(1, 20_000n), collected(2, 10_000n)]
    expect(fold(started)).toEqual({
      ...rfq,
      backers: 3,
      status: 'open',
      closedAt: null,
      rejectedCount: 0,
      quotes: [],
    })
    expect(fold(started, arrival(dear), arrival(cheap), done(2))).toMatchObject({
      status: 'closed',
      closedAt: 16_000,
      rejectedCount: 2,
      quotes: [cheap, dear],
    })
  })

  test('behavior: a late close is marked as interrupted', () => {
    const late = done(0)
    if (late.type === 'done') late.data.interrupted = true
    expect(fold(started, late)).toMatchObject({ status: 'closed', interrupted: true })
    expect(fold(started, done(0))).not.toHaveProperty('interrupted')
  })

  test('behavior: a tie goes to the larger quote, then to the earlier one', () => {
    const [first, second, small] = [collected(1, 10_000n), collected(2, 10_000n), collected(0, 5_000n, 125_000n)]
    expect(fold(started, arrival(small), arrival(second), arrival(first))?.quotes).toEqual([first, second, small])
  })

  test('behavior: a duplicate quote counts once', () => {
    expect(fold(started, arrival(collected(1, 1n)), arrival(collected(1, 1n)))?.quotes).toHaveLength(1)
  })

  test('behavior: the latest progress survives later events and older responses', () => {
    const progress = (answered: number): RFQAuctionEvent => ({
      type: 'progress',
      data: { answered, expected: 3, backers: 8 },
    })
    expect(fold(started, progress(1), progress(2), arrival(collected(1, 1n)), done(1))).toMatchObject({
      progress: { answered: 2 },
      quotes: [{ receivedAt: 1_001 }],
    })
    const known = fold(started, progress(2))
    expect(known && mergeAuctions(known, fold(started) as RFQResult)).toEqual(known)
    expect(fold(progress(1))).toBeUndefined()
  })

  test('behavior: ignores events before the start', () => {
    expect(fold(arrival(collected(1, 1n)), done(1))).toBeUndefined()
  })
})

describe('mergeAuctions', () => {
  const result = (status: RFQResult['status'], quotes: CollectedQuote[]): RFQResult => ({
    ...rfq,
    backers: 3,
    status,
    closedAt: status === 'closed' ? 16_000 : null,
    rejectedCount: 0,
    quotes,
  })

  test('default: a response older than the stream removes nothing', () => {
    const known = result('closed', [collected(1, 1n)])
    expect(mergeAuctions(known, result('open', []))).toEqual(known)
  })

  test('behavior: the order of merges does not matter', () => {
    const piece = fc.record({
      closed: fc.boolean(),
      numbers: fc.uniqueArray(fc.integer({ min: 1, max: 8 })),
    })
    fc.assert(
      fc.property(piece, piece, (a, b) => {
        const [left, right] = [a, b].map(({ closed, numbers }) =>
          result(
            closed ? 'closed' : 'open',
            numbers.map((number) => collected(number, BigInt(number % 3))),
          ),
        ) as [RFQResult, RFQResult]
        expect(mergeAuctions(left, right)).toEqual(mergeAuctions(right, left))
      }),
    )
  })
})
