import { expect, test } from '@jest/globals'
import { examplePool, hex, later, now, soon } from '../../../test/fixing/exampleMarket.ts'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import { curvePoints, firmSizes } from './curvePoints.ts'

const offer = (part: Partial<KnownOffer> = {}): KnownOffer => ({
  ...{ firm: true, hash: hex('01'), expiry: soon.expiry, notional: 1_000_000n, vrtAmount: 30_000n, at: now },
  ...part,
})
const size = 1_000_000n

test('default: one point a maturity, soonest first: firm at the size of an offer, else an estimate', () => {
  const offers = new Map([
    [later.seriesKey, [offer({ expiry: later.expiry, notional: 500_000n })]],
    [soon.seriesKey, [offer()]],
  ])
  expect(curvePoints(examplePool(), offers, { size, now })).toEqual([
    { ...soon, kind: 'firm', hash: hex('01'), notional: size, cost: 30_000n, effectiveApy: 6.28122, median: null },
    {
      ...later,
      kind: 'estimate',
      notional: size,
      cost: 60_000n,
      effectiveApy: 6.382979,
      median: null,
      basis: { from: 'offer', notional: 500_000n, at: now },
    },
  ])
})

test('behavior: the median counts all known quotes, from two on', () => {
  const of = (...costs: bigint[]) => new Map([[soon.seriesKey, costs.map((vrtAmount) => offer({ vrtAmount }))]])
  const median = (...costs: bigint[]) => curvePoints(examplePool(), of(...costs), { size, now })[0]?.median
  expect(median(30_000n)).toBeNull()
  expect(median(30_000n, 30_000n)).toBe(6.28122)
  expect(median(90_000n, 20_000n, 30_000n)).toBe(6.28122)
  expect(median(30_000n, 30_000n, 30_000n, 90_000n)).toBe(6.28122)
})

test('behavior: a maturity of which nothing is known has no point', () => {
  const offers = new Map([[soon.seriesKey, [offer()]]])
  expect(curvePoints(examplePool(), offers, { size, now }).map(({ seriesKey }) => seriesKey)).toEqual([soon.seriesKey])
})

test('behavior: the sizes that can be had, most common first', () => {
  const of = (...notionals: bigint[]) => notionals.map((notional) => offer({ notional }))
  const seen = offer({ firm: false, notional: 7n })
  const offers = new Map([
    [soon.seriesKey, [...of(100n, 1_000n), seen]],
    [later.seriesKey, of(1_000n, 5n)],
  ])
  expect(firmSizes(offers)).toEqual([1_000n, 100n, 5n])
})
