import type { Pool } from '@firmquote/react'
import type { PublicRfqId, RFQObservation } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { type Address, type Hex, zeroAddress } from 'viem'
import { type HistoryFilters, historyHref } from '../../routes.ts'
import {
  daysOf,
  isFiltered,
  listChoices,
  parseFilters,
  pickMine,
  pickObservations,
  poolOf,
  serviceFilters,
} from './historyFilters.ts'

const [poolA, poolB]: [Hex, Hex] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`]
const seriesKey: Hex = `0x${'51'.repeat(32)}`
const maker = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const pools: Pool[] = [poolA, poolB].map((poolId, index) => ({
  poolId,
  loanToken: { address: maker, symbol: 'tUSD', decimals: 6 },
  floating: { ratePerSec: 1n, apr: 1, apy: 1 },
  series: [{ seriesKey, expiry: 200 + index, capacity: 1n, depth: { quotes: 0, notional: 0n } }],
}))

function seen(differences: Partial<RFQObservation>): RFQObservation {
  return {
    rfqId: 'one' as PublicRfqId,
    hash: seriesKey,
    maker,
    poolId: poolA,
    seriesKey,
    expiry: 200,
    notional: 1n,
    vrtAmount: 1n,
    apr: 1,
    observedAt: 1_000,
    executable: true,
    ...differences,
  }
}

function parse(href: string): HistoryFilters {
  return parseFilters(new URLSearchParams(href.split('?')[1] ?? ''))
}

test.each<HistoryFilters>([
  {},
  { poolId: poolA },
  { maker },
  { expiry: 1_803_168_000 },
  { executable: true },
  { mine: true },
  { days: 30 },
  { poolId: poolA, expiry: 1_803_168_000, maker, executable: true, mine: true, days: 7 },
])('default: what is written is read again: %j', (filters) => {
  expect(parse(historyHref(filters))).toEqual(filters)
})

test('behavior: what cannot be read filters nothing', () => {
  expect(parse('#/history?pool=0x12&maturity=-1&maker=0x34&executable=yes&mine=1&days=31&colour=green')).toEqual({})
  expect(parse('#/history?pool=aa&maturity=1e9&maker=')).toEqual({})
  expect(isFiltered(parse('#/history'))).toBe(false)
  expect(isFiltered({ executable: true })).toBe(true)
})

test('behavior: an id and an address in other letters are the same ones', () => {
  const text = `#/history?pool=${poolA.toUpperCase().replace('0X', '0x')}&maker=${maker.toLowerCase()}`
  expect(parse(text)).toEqual({ poolId: poolA, maker })
})

test('behavior: each filter leaves out the rest; the newest comes first', () => {
  const rows = [
    seen({ observedAt: 1 }),
    seen({ observedAt: 2, poolId: poolB }),
    seen({ observedAt: 3, expiry: 201 }),
    seen({ observedAt: 4, maker: other }),
    seen({ observedAt: 5, executable: false, reason: 'QUOTE_FILLED' }),
  ]
  const times = (filters: HistoryFilters) => pickObservations(rows, filters, 10).map(({ observedAt }) => observedAt)
  expect(times({})).toEqual([5, 4, 3, 2, 1])
  expect(times({ poolId: poolB })).toEqual([2])
  expect(times({ expiry: 201 })).toEqual([3])
  expect(times({ maker: other })).toEqual([4])
  expect(times({ executable: true })).toEqual([4, 3, 2, 1])
  expect(times({ poolId: poolB, maker: other })).toEqual([])
})

test('behavior: the service is asked for the pool, and for the series when both are chosen', () => {
  expect(serviceFilters({ maker, expiry: 200 }, pools)).toEqual({})
  expect(serviceFilters({ poolId: poolA }, pools)).toEqual({ poolId: poolA })
  expect(serviceFilters({ poolId: poolA, expiry: 200 }, pools)).toEqual({ poolId: poolA, seriesKey })
  // The pool no longer lists a matured series.
  expect(serviceFilters({ poolId: poolA, expiry: 100 }, pools)).toEqual({ poolId: poolA })
})

test('behavior: what has been seen can be chosen, and what is chosen already', () => {
  expect(listChoices([seen({ expiry: 100 }), seen({})], pools, { poolId: poolA, maker: other })).toEqual({
    expiries: [100, 200],
    makers: [other, maker],
  })
  expect(listChoices([], pools, { expiry: 999 })).toEqual({ expiries: [200, 201, 999], makers: [] })
})

test('behavior: a range leaves out what was seen before it', () => {
  const day = 86_400_000
  const now = 400 * day
  const rows = [0, 7 * day, 7 * day + 1, 365 * day + 1].map((before) => seen({ observedAt: now - before }))
  const count = (filters: HistoryFilters) => pickObservations(rows, filters, now).length
  expect([count({ days: 7 }), count({ days: 30 }), count({})]).toEqual([2, 3, 3])
  expect(daysOf({})).toBe(365)
})

test('behavior: mine are those that were signed for the account alone', () => {
  const [own, others, anyone, unknown] = ['01', '02', '03', '04'].map((byte) =>
    seen({ hash: `0x${byte.repeat(32)}` }),
  ) as [RFQObservation, RFQObservation, RFQObservation, RFQObservation]
  const takers = new Map<Hex, Address>([
    [own.hash, maker.toLowerCase() as Address],
    [others.hash, other],
    [anyone.hash, zeroAddress],
  ])
  expect(pickMine([own, others, anyone, unknown], takers, maker)).toEqual([own])
})

test('behavior: the rates are those of the pool, else of one with the maturity, else of the first', () => {
  expect(poolOf(pools, { poolId: poolB, expiry: 200 })?.poolId).toBe(poolB)
  expect(poolOf(pools, { expiry: 201 })?.poolId).toBe(poolB)
  expect(poolOf(pools, { expiry: 5 })?.poolId).toBe(poolA)
  expect(poolOf([], {})).toBeUndefined()
})
