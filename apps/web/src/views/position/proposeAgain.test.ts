import { expect, test } from '@jest/globals'
import { examplePool, later, now, soon } from '../../../test/fixing/exampleMarket.ts'
import { defaultMaxApy, priceLimitOf } from '../../service/priceLimit.ts'
import { proposeAgain } from './proposeAgain.ts'

const pool = examplePool()
const half = soon.expiry - now
const ended = { notional: 1_000_000n, termSeconds: half }

test('default: the same amount and term, at most the cost at the default limit', () => {
  const limit = priceLimitOf({ notional: 1_000_000n, expiry: soon.expiry, openedAt: now * 1000 }, pool)
  expect(proposeAgain(pool, ended, { unfixed: 1_000_000n, now })).toEqual({
    ...{ poolId: pool.poolId, ...soon },
    ...{ notional: 1_000_000n, limit },
  })
  expect(limit).toBeGreaterThan(0n)
  expect(defaultMaxApy(pool)).toBeGreaterThan(pool.floating.apy)
})

test('behavior: about the same term', () => {
  const of = (termSeconds: number) => proposeAgain(pool, { ...ended, termSeconds }, { unfixed: 1_000_000n, now })
  expect(of(1.5 * half)?.seriesKey).toBe(soon.seriesKey)
  expect(of(1.5 * half + 1)?.seriesKey).toBe(later.seriesKey)
})

test('behavior: at most the unfixed debt, and what is available', () => {
  expect(proposeAgain(pool, ended, { unfixed: 999_999n, now })?.notional).toBe(999_999n)
  const scarce = examplePool({ series: pool.series.map((series) => ({ ...series, capacity: 7n })) })
  expect(proposeAgain(scarce, ended, { unfixed: 1_000_000n, now })?.notional).toBe(7n)
})

test('behavior: never in a paused term', () => {
  const halted = { scope: 'series', since: 1 } as const
  const paused = pool.series.map((series) => (series.seriesKey === soon.seriesKey ? { ...series, halted } : series))
  const found = proposeAgain({ ...pool, series: paused }, ended, { unfixed: 1_000_000n, now })
  expect(found?.seriesKey).toBe(later.seriesKey)
  const all = pool.series.map((series) => ({ ...series, halted }))
  expect(proposeAgain({ ...pool, series: all }, ended, { unfixed: 1_000_000n, now })).toBeNull()
})

test('behavior: nothing without a debt or a running series', () => {
  expect(proposeAgain(pool, ended, { unfixed: 0n, now })).toBeNull()
  expect(proposeAgain(pool, ended, { unfixed: 1_000_000n, now: later.expiry })).toBeNull()
})
