import { expect, test } from '@jest/globals'
import { examplePool, hex, later, now, soon } from '../../../test/fixing/exampleMarket.ts'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import { fixPrices } from './fixPrices.ts'

// The pool's variable rate is 37.07 %.
const pool = examplePool()
const offer = (part: Partial<KnownOffer> = {}): KnownOffer => ({
  ...{ ...soon, firm: true, hash: hex('01'), notional: 1_000_000n, vrtAmount: 150_000n, at: now },
  ...part,
})
const at = (wanted: bigint, offers: readonly KnownOffer[], seriesKey = soon.seriesKey, of = pool) =>
  fixPrices(of, new Map([[soon.seriesKey, offers]]), { wanted, seriesKey, now })

test('default: a whole amount is firm, and the maximum rate is a quarter of a point above it', () => {
  const { firm, term, bestApy, maxApy } = at(1_000_000n, [offer({ vrtAmount: 151_000n })])
  expect(firm).toBe(term?.price)
  expect(firm).toMatchObject({ kind: 'firm', notional: 1_000_000n })
  expect(bestApy).toBeCloseTo(38.73, 2)
  expect(maxApy).toBeCloseTo(38.98, 2)
})

test('behavior: published quotes within the maximum rate fix a part now', () => {
  expect(at(2_000_000n, [offer()]).firm).toMatchObject({ notional: 1_000_000n, cost: 150_000n })
  const dear = offer({ hash: hex('02'), notional: 500_000n, vrtAmount: 100_000n })
  expect(at(2_000_000n, [offer(), dear]).firm).toMatchObject({ notional: 1_000_000n })
  expect(at(2_000_000n, [offer({ firm: false, at: now - 60 })]).firm).toBeNull()
})

test('behavior: a term without a price follows the closest term with one', () => {
  const { term, bestApy, maxApy } = at(1_000_000n, [offer({ vrtAmount: 151_000n })], later.seriesKey)
  expect(term?.price).toBeNull()
  expect(bestApy).toBeCloseTo(38.73, 2)
  expect(maxApy).toBeCloseTo(38.98, 2)
})

test('behavior: without any price, the maximum is five points above the variable rate', () => {
  expect(at(1_000_000n, [])).toMatchObject({ bestApy: undefined, firm: null })
  expect(at(1_000_000n, []).maxApy).toBeCloseTo(42.07, 2)
})

test('behavior: a full term has no price, and an unknown one has no term', () => {
  const full = examplePool({ series: pool.series.map((series) => ({ ...series, capacity: 0n })) })
  expect(at(1_000_000n, [offer()], soon.seriesKey, full).firm).toBeNull()
  expect(at(1_000_000n, [offer()], hex('99')).term).toBeUndefined()
})
