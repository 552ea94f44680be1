import { expect, test } from '@jest/globals'
import { examplePool, hex, later, now, soon } from '../../../test/fixing/exampleMarket.ts'
import type { KnownOffer } from './knownOffers.ts'
import { termPrices } from './termPrices.ts'

const offer: KnownOffer = { ...soon, firm: true, hash: hex('01'), notional: 1_000_000n, vrtAmount: 30_000n, at: now }
const offers = new Map([[soon.seriesKey, [offer]]])
const wanted = 1_000_000n

test('default: each term that runs, soonest first, with its price where one is known', () => {
  const pool = examplePool()
  const prices = termPrices({ ...pool, series: pool.series.toReversed() }, offers, { wanted, now })
  expect(prices.map(({ series, price }) => [series.seriesKey, price?.kind])).toEqual([
    [soon.seriesKey, 'firm'],
    [later.seriesKey, undefined],
  ])
  expect(termPrices(pool, offers, { wanted, now: soon.expiry }).map(({ series }) => series.seriesKey)).toEqual([
    later.seriesKey,
  ])
})

test('behavior: a term that takes less has the price of that, one that takes nothing has none', () => {
  const priceWith = (capacity: bigint) => {
    const [series] = examplePool().series
    if (!series) throw new Error('There is no series.')
    return termPrices(examplePool({ series: [{ ...series, capacity }] }), offers, { wanted, now })[0]
  }
  expect(priceWith(600_000n)).toMatchObject({
    fixable: { limit: 'most' },
    price: { kind: 'estimate', notional: 600_000n },
  })
  expect(priceWith(0n)).toMatchObject({ fixable: { amount: 0n }, price: null })
})
