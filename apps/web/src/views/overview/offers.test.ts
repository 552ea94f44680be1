import type { PublicRfqId } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { bestOffer, bestOfSeries, findOffers, offerApr, offerCost, type SeriesOffers } from './offers.ts'
import { exampleObservation, examplePool, exampleQuote, hex, later, now, soon } from './testing/exampleMarket.ts'

type Question = Parameters<typeof findOffers>[0]

function find(differences: Partial<Question>): Map<Hex, SeriesOffers> {
  return findOffers({ pools: [examplePool()], quotes: [], observations: [], account: undefined, now, ...differences })
}

const borrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

test('default: the best of each kind for every series', () => {
  const offers = find({
    quotes: [
      exampleQuote({ vrtAmount: 31_000n }, { hash: hex('11') }),
      exampleQuote({ vrtAmount: 29_000n }, { hash: hex('12') }),
      exampleQuote({ seriesKey: later.seriesKey, vrtAmount: 70_000n }, { hash: hex('13') }),
    ],
    observations: [exampleObservation({ vrtAmount: 28_000n }), exampleObservation({ vrtAmount: 40_000n })],
  })
  expect(offers.get(soon.seriesKey)).toMatchObject({
    firm: { kind: 'firm', hash: hex('12'), vrtAmount: 29_000n, at: now },
    indicative: { kind: 'indicative', vrtAmount: 28_000n, at: now - 60 },
  })
  expect(offers.get(later.seriesKey)).toEqual({ firm: expect.objectContaining({ hash: hex('13') }) })
})

test.each([
  ['that cannot be executed', exampleQuote({}, { executable: false, reason: 'QUOTE_FILLED' })],
  ['that has not been judged', (({ executable: _, ...rest }) => rest)(exampleQuote())],
  ['for another account', exampleQuote({ taker: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })],
  ['for nothing', exampleQuote({ notional: 0n })],
])('behavior: a published quote %s is not firm', (_, quote) => {
  expect(find({ quotes: [quote], account: borrower }).get(soon.seriesKey)).toEqual({})
})

test('behavior: a published quote without its signature is not firm', () => {
  const { signature: _, ...terms } = exampleQuote().quote
  expect(find({ quotes: [{ ...exampleQuote(), quote: terms }] }).get(soon.seriesKey)).toEqual({})
})

test('behavior: a quote for the account itself is firm, for nobody else', () => {
  const quotes = [exampleQuote({ taker: borrower })]
  expect(find({ quotes, account: borrower }).get(soon.seriesKey)?.firm).toBeDefined()
  expect(find({ quotes }).get(soon.seriesKey)?.firm).toBeUndefined()
})

test('behavior: what still stands in auctions comes first, however dear; else the last auction alone', () => {
  const over = { executable: false, reason: 'DEADLINE_PASSED' }
  const first = exampleObservation({
    ...over,
    rfqId: 'first' as PublicRfqId,
    vrtAmount: 10_000n,
    observedAt: (now - 9_000) * 1000,
  })
  const last = exampleObservation({
    ...over,
    rfqId: 'last' as PublicRfqId,
    vrtAmount: 20_000n,
    observedAt: (now - 8_000) * 1000,
  })
  const standing = exampleObservation({ rfqId: 'standing' as PublicRfqId, vrtAmount: 50_000n })
  const seen = (...observations: Question['observations']) => find({ observations }).get(soon.seriesKey)?.indicative
  expect(seen(first, last, standing)).toMatchObject({ vrtAmount: 50_000n })
  expect(seen(first, last)).toMatchObject({ vrtAmount: 20_000n, at: now - 8_000 })
  expect(seen()).toBeUndefined()
})

test('behavior: a series that has ended offers nothing', () => {
  expect(find({ quotes: [exampleQuote()], now: soon.expiry }).has(soon.seriesKey)).toBe(false)
})

test('behavior: rates are compared by the year, exactly; the first of equal ones wins', () => {
  const half = find({ quotes: [exampleQuote()] }).get(soon.seriesKey)?.firm
  const year = { vrtAmount: 60_001n, seriesKey: later.seriesKey }
  const whole = find({ quotes: [exampleQuote(year)] }).get(later.seriesKey)?.firm
  if (!half || !whole) throw new Error('An offer is missing.')
  expect(bestOffer([whole, half])).toBe(half)
  expect(bestOffer([half, { ...half, hash: hex('77') }])).toBe(half)
  expect(bestOffer([])).toBeUndefined()
  expect(bestOfSeries({ firm: half, indicative: { ...half, kind: 'indicative' } })).toBe(half)
  expect(bestOfSeries({})).toBeUndefined()
})

test('behavior: a rate as of when it was seen, and its cost for the time that is left, rounded up', () => {
  const offer = {
    ...soon,
    kind: 'indicative' as const,
    hash: hex('01'),
    notional: 1_000_000n,
    vrtAmount: 30_000n,
    at: now,
  }
  expect(offerApr(offer)).toBe(6)
  expect(offerCost(offer, 2_000_000n, now)).toBe(60_000n)
  // Half of the time is gone: half of the cost.
  expect(offerCost(offer, 2_000_000n, (now + soon.expiry) / 2)).toBe(30_000n)
  expect(offerCost(offer, 1n, now)).toBe(1n)
})
