import { quoteEffectiveApy } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Address } from 'viem'
import { backers, record, rfq, submitted } from '../../test/auctionEvents.ts'
import {
  type AcceptedQuote,
  type AuctionRecord,
  auctionEvents,
  auctionResult,
  chooseBest,
  doneEvent,
  quoteEvent,
  rankQuotes,
  startedEvent,
} from './auctionRecord.ts'

/** Creates a row with its own maker. */
function row(
  seq: number,
  change: Partial<AcceptedQuote> & { vrtAmount?: bigint; notional?: bigint } = {},
): AcceptedQuote {
  const { vrtAmount = 10n, notional = 1_000n, ...rest } = change
  const { hash, quote, arrival } = submitted(seq, backers[seq] as Address, { vrtAmount, notional })
  return { hash, quote, apr: seq, receivedAt: Math.floor(arrival / 1_000), arrival, seq, ...rest }
}

const close = { closedAt: rfq.closesAt + 3, rejectedCount: 4, interrupted: false }
const dear = row(1, { vrtAmount: 20n })
const cheap = row(2)
const open: AuctionRecord = { ...record, quotes: [dear, cheap] }
const closed: AuctionRecord = { ...open, close }
const collected = ({ hash, quote, apr, receivedAt }: AcceptedQuote) => {
  const effectiveApy = quoteEffectiveApy(quote, rfq.expiry, Math.floor(receivedAt / 1_000))
  return { hash, quote, apr, effectiveApy, receivedAt }
}

describe('rankQuotes', () => {
  const ranks = (quotes: AcceptedQuote[]) => rankQuotes(quotes).map(({ seq }) => seq)

  test('default', () => {
    const half = row(3, { vrtAmount: 5n, notional: 500n })
    // Sorted by rate. At equal rates, the larger notional comes first.
    expect(ranks([dear, half, cheap])).toEqual([2, 3, 1])
  })

  test('behavior: equal prices rank by arrival, whatever the order of acceptance, then by position', () => {
    const [late, early] = [row(1, { arrival: 200 }), row(2, { arrival: 100 })]
    expect(ranks([late, early])).toEqual([2, 1])
    expect(ranks([row(2, { arrival: 100 }), row(1, { arrival: 100 })])).toEqual([1, 2])
  })

  test('behavior: returns the same for every order of the rows and does not change them', () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const rows = fc
      .uniqueArray(fc.integer({ min: 1, max: 15 }), { minLength: 2, maxLength: 15 })
      .chain((seqs) =>
        fc.tuple(
          ...seqs.map((seq) =>
            fc
              .record({ vrtAmount: fc.constantFrom(10n, 20n), arrival: fc.integer({ min: 1, max: 3 }) })
              .map((change) => row(seq, change)),
          ),
        ),
      )
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat()), (quotes, random) => {
        const given = Object.freeze([...quotes])
        const shuffled = [...quotes].sort(() => ((random.next().value ?? 0) % 2 === 0 ? 1 : -1))
        expect(rankQuotes(shuffled)).toEqual(rankQuotes(given))
        expect(ranks([...given]).sort()).toEqual(quotes.map(({ seq }) => seq).sort())
      }),
      { seed, numRuns: 100 },
    )
  })
})

describe('auctionResult', () => {
  test('default', () => {
    expect(auctionResult(closed)).toEqual({
      ...rfq,
      status: 'closed',
      closedAt: close.closedAt,
      backers: 3,
      rejectedCount: 4,
      best: { hashes: [cheap.hash], notional: 1_000n, cost: 10n },
      quotes: [collected(cheap), collected(dear)],
    })
  })

  test('behavior: only a closed one has a best choice, which is reused where known', () => {
    expect('best' in auctionResult(open)).toBe(false)
    const best = { hashes: [dear.hash], notional: 1n, cost: 2n }
    expect(auctionResult({ ...closed, best }).best).toBe(best)
    expect(doneEvent({ ...closed, best }, close).data).toMatchObject({ best })
  })

  test('behavior: while it is open, it counts known refusals', () => {
    expect(auctionResult(open, 9)).toMatchObject({ status: 'open', closedAt: null, rejectedCount: 9 })
    expect(auctionResult(open)).toMatchObject({ rejectedCount: 0 })
    expect(auctionResult(closed, 9).rejectedCount).toBe(4)
  })

  test('behavior: reports an interruption only if there was one', () => {
    expect(auctionResult({ ...closed, close: { ...close, interrupted: true } }).interrupted).toBe(true)
    expect('interrupted' in auctionResult(closed)).toBe(false)
    expect('interrupted' in auctionResult(open)).toBe(false)
  })
})

describe('chooseBest', () => {
  const best = (quotes: AcceptedQuote[], terms: Partial<typeof rfq> = {}) =>
    chooseBest({ rfq: { ...rfq, ...terms }, quotes }).hashes

  test('default: covers the notional at the least cost, best rate first', () => {
    const [half, other] = [row(3, { vrtAmount: 4n, notional: 500n }), row(4, { vrtAmount: 5n, notional: 500n })]
    expect(chooseBest({ rfq, quotes: [dear, other, cheap, half] })).toEqual({
      hashes: [half.hash, other.hash],
      notional: 1_000n,
      cost: 9n,
    })
    expect(chooseBest({ rfq, quotes: [] })).toEqual({ hashes: [], notional: 0n, cost: 0n })
  })

  test('behavior: a quote of an unproven contract does not count', () => {
    expect(best([dear, { ...cheap, unproven: true }])).toEqual([dear.hash])
    expect(best([dear, { ...cheap, unproven: false }])).toEqual([cheap.hash])
    expect(best([{ ...dear, unproven: true }])).toEqual([])
  })

  test("behavior: by the request's notional and limit", () => {
    const part = row(3, { vrtAmount: 1n, notional: 200n })
    const whole = row(4, { vrtAmount: 100n })
    expect(best([part, whole])).toEqual([whole.hash])
    expect(best([part, whole], { maxVrtAmount: 100n })).toEqual([whole.hash])
    expect(best([part, whole], { maxVrtAmount: 99n })).toEqual([part.hash])
    expect(best([part, whole], { notional: 999n })).toEqual([part.hash])
    const { maxVrtAmount: _, ...unlimited } = rfq
    // Without a price limit, an expensive quote must not win because of its size.
    expect(chooseBest({ rfq: unlimited, quotes: [row(5, { notional: 999n }), whole] }).hashes).toEqual([row(5).hash])
  })
})

describe('the events', () => {
  // A fast clock may still accept a quote after the expiry.
  test.each([-2, -1, 0, 5])('behavior: the effective APY of a quote received %d s after the expiry', (late) => {
    const quote = row(1, { receivedAt: (rfq.expiry + late) * 1_000 + 999 })
    const at = rfq.expiry + Math.min(late, -1)
    expect(quoteEvent(rfq, quote).data).toMatchObject({
      effectiveApy: quoteEffectiveApy(quote.quote, rfq.expiry, at),
    })
  })

  test('default', () => {
    expect(auctionEvents(closed)).toEqual([
      startedEvent(closed),
      quoteEvent(rfq, dear),
      quoteEvent(rfq, cheap),
      doneEvent(closed, close),
    ])
    expect(auctionEvents(closed).map(({ type, id }) => [type, id])).toEqual([
      ['started', `${rfq.rfqId}:0`],
      ['quote', `${rfq.rfqId}:1`],
      ['quote', `${rfq.rfqId}:2`],
      ['done', `${rfq.rfqId}:3`],
    ])
    expect(auctionEvents(open)).toEqual(auctionEvents(closed).slice(0, -1))
  })

  test('behavior: they match the rows, without position and arrival', () => {
    expect(startedEvent(open).data).toEqual({ ...rfq, backers: 3 })
    expect(quoteEvent(rfq, dear).data).toEqual(collected(dear))
    const unbounded = row(3, { vrtAmount: 501n })
    expect(quoteEvent(rfq, unbounded).data).toEqual({ ...collected(unbounded), effectiveApy: null })
    const summary = { rfqId: rfq.rfqId, closedAt: close.closedAt, quoteCount: 2, rejectedCount: 4 }
    const best = { hashes: [cheap.hash], notional: 1_000n, cost: 10n }
    expect(doneEvent(closed, close).data).toEqual({ ...summary, best, ranking: [cheap.hash, dear.hash] })
    expect(doneEvent(closed, { ...close, interrupted: true }).data).toMatchObject({ interrupted: true })
  })
})
