import type { Pool } from '@firmquote/react'
import { expect, test } from '@jest/globals'
import { examplePool, hex, later, maker, now, soon } from '../../../test/fixing/exampleMarket.ts'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import { defaultSize, marketRows, sortRows } from './marketRows.ts'

const offer = (of: { expiry: number }, differences: Partial<KnownOffer> = {}): KnownOffer => ({
  ...{ firm: true, hash: hex('01'), expiry: of.expiry, notional: 1_000_000n, vrtAmount: 30_000n, at: now },
  ...differences,
})
const third = { seriesKey: hex('53'), expiry: later.expiry + 86_400, capacity: 5n, depth: { quotes: 0, notional: 0n } }
const pool = examplePool({ series: [...examplePool().series, third] })
const offers = new Map([
  [soon.seriesKey, [offer(soon), offer(soon, { hash: hex('02'), notional: 500_000n, vrtAmount: 20_000n })]],
  [later.seriesKey, [offer(later, { vrtAmount: 20_000n }), offer(later, { firm: false, at: now - 60 })]],
])
const rows = marketRows(pool, offers, { wanted: 1_000_000n, now })

test('default: each term has its price, its difference from the variable rate and its depth', () => {
  expect(rows.map(({ price }) => price?.cost)).toEqual([30_000n, 20_000n, undefined])
  // Half a year at 31.5 % costs far more than 3 %.
  expect(rows[0]?.difference).toBeLessThan(-100_000n)
  expect(rows[2]?.difference).toBeNull()
})

test('behavior: the depth counts only quotes that can be taken', () => {
  expect(rows.map(({ depth }) => depth)).toEqual([1_500_000n, 1_000_000n, 0n])
})

test.each([
  ['maturity', false, [0, 1, 2]],
  ['maturity', true, [2, 1, 0]],
  ['cost', false, [1, 0, 2]],
  ['cost', true, [0, 1, 2]],
  ['rate', false, [1, 0, 2]],
  ['depth', false, [2, 1, 0]],
  ['depth', true, [0, 1, 2]],
] as const)('behavior: sorted by %s, descending %s, unknown values last', (by, descending, places) => {
  expect(sortRows(rows, { by, descending })).toEqual(places.map((place) => rows[place]))
})

test("behavior: the size is the account's first unfixed debt, in the first pool's units, or 250,000", () => {
  const other = examplePool({ poolId: hex('bb'), loanToken: { address: maker, symbol: 'D', decimals: 18 } })
  const pools: [Pool, Pool] = [examplePool(), other]
  const debt = { poolId: hex('bb'), protocol: 'x', market: hex('00'), loanToken: maker, debt: 7n * 10n ** 18n }
  expect(defaultSize(pools, null, now)).toBe(250_000_000_000n)
  expect(defaultSize(pools, { debts: [], positions: [] }, now)).toBe(250_000_000_000n)
  expect(defaultSize(pools, { debts: [debt], positions: [] }, now)).toBe(7_000_000n)
})
