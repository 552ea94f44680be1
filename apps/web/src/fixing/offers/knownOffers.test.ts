import { submissionWindowSeconds } from '@firmquote/react'
import { expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import {
  exampleObservation,
  examplePool,
  exampleQuote,
  hex,
  later,
  now,
  soon,
} from '../../../test/fixing/exampleMarket.ts'
import { type KnownOffer, knownOffers, lowestOffer } from './knownOffers.ts'

type Question = Parameters<typeof knownOffers>[0]

function find(differences: Partial<Question>): Map<Hex, KnownOffer[]> {
  return knownOffers({ pools: [examplePool()], quotes: [], observations: [], account: undefined, now, ...differences })
}

const borrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

test('default: all of every series, published ones as of now, the others as of their auction', () => {
  const offers = find({
    quotes: [
      exampleQuote({ vrtAmount: 31_000n }, { hash: hex('11') }),
      exampleQuote({ seriesKey: later.seriesKey, vrtAmount: 70_000n }, { hash: hex('13') }),
    ],
    observations: [exampleObservation({ vrtAmount: 28_000n })],
  })
  expect(offers.get(soon.seriesKey)).toEqual([
    { firm: true, hash: hex('11'), expiry: soon.expiry, notional: 1_000_000n, vrtAmount: 31_000n, at: now },
    { firm: false, hash: hex('02'), expiry: soon.expiry, notional: 1_000_000n, vrtAmount: 28_000n, at: now - 60 },
  ])
  expect(offers.get(later.seriesKey)).toEqual([expect.objectContaining({ firm: true, hash: hex('13') })])
})

test.each([
  ['that cannot be executed', exampleQuote({}, { executable: false, reason: 'QUOTE_FILLED' })],
  ['that has not been judged', (({ executable: _, ...rest }) => rest)(exampleQuote())],
  ['for another account', exampleQuote({ taker: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })],
  ['of a contract none of whose quotes was ever taken', exampleQuote({}, { unproven: true })],
  ['that is over', exampleQuote({}, { status: 'filled' })],
  ['that is about to end', exampleQuote({ deadline: BigInt(now + submissionWindowSeconds - 1) })],
  ['for nothing', exampleQuote({ notional: 0n })],
])('behavior: a published quote %s is none', (_, quote) => {
  expect(find({ quotes: [quote], account: borrower }).get(soon.seriesKey)).toEqual([])
})

test('behavior: a published quote without its signature is none', () => {
  const { signature: _, ...terms } = exampleQuote().quote
  expect(find({ quotes: [{ ...exampleQuote(), quote: terms }] }).get(soon.seriesKey)).toEqual([])
})

test('behavior: a quote can be taken until the submission window begins', () => {
  const quote = exampleQuote({ deadline: BigInt(now + submissionWindowSeconds) })
  expect(find({ quotes: [quote] }).get(soon.seriesKey)).toHaveLength(1)
})

test('behavior: a quote for the account itself is one, for nobody else', () => {
  const quotes = [exampleQuote({ taker: borrower })]
  expect(find({ quotes, account: borrower }).get(soon.seriesKey)).toHaveLength(1)
  expect(find({ quotes }).get(soon.seriesKey)).toEqual([])
})

test('behavior: an observation of nothing, or at the end of its series, is none', () => {
  const seen = (part: Parameters<typeof exampleObservation>[0]) =>
    find({ observations: [exampleObservation(part)] }).get(soon.seriesKey)
  expect(seen({ notional: 0n })).toEqual([])
  expect(seen({ observedAt: soon.expiry * 1000 })).toEqual([])
  expect(seen({ observedAt: (soon.expiry - 1) * 1000 })).toHaveLength(1)
})

test('behavior: a series that has ended offers nothing', () => {
  expect(find({ quotes: [exampleQuote()], now: soon.expiry }).has(soon.seriesKey)).toBe(false)
})

test('behavior: rates are compared by the year, exactly; the first of equal ones wins', () => {
  const [half] = find({ quotes: [exampleQuote()] }).get(soon.seriesKey) ?? []
  const year = { vrtAmount: 60_001n, seriesKey: later.seriesKey }
  const [whole] = find({ quotes: [exampleQuote(year)] }).get(later.seriesKey) ?? []
  if (!half || !whole) throw new Error('An offer is missing.')
  expect(lowestOffer([whole, half])).toBe(half)
  // The same price at a later time covers a shorter term.
  expect(lowestOffer([{ ...half, at: half.at + 1_000 }, half])).toBe(half)
  expect(lowestOffer([half, { ...half, hash: hex('77') }])).toBe(half)
  expect(lowestOffer([])).toBeUndefined()
})
