import { describe, expect, test } from '@jest/globals'
import { effectiveApyOf } from '../fixing/outcome/effectiveApy.ts'
import { costAtApy, defaultMaxApy, priceLimitOf } from './priceLimit.ts'

const now = 1_800_000_000
const auction = { notional: 1_000_000n, expiry: now + 31_536_000, openedAt: now * 1000 }
const pool = { floating: { ratePerSec: 1n, apr: 6.25, apy: 6.45 } }

describe('defaultMaxApy', () => {
  test('default: a quarter of a point above the best known rate, at least half a point above the variable rate', () => {
    expect(defaultMaxApy(pool, 7.13)).toBeCloseTo(7.38, 12)
    expect(defaultMaxApy(pool, 6.71)).toBeCloseTo(6.96, 12)
    expect(defaultMaxApy(pool, 6.69)).toBeCloseTo(6.95, 12)
    expect(defaultMaxApy(pool, 0)).toBeCloseTo(6.95, 12)
  })

  test('behavior: at most five points above the variable rate, and that without a known rate', () => {
    expect(defaultMaxApy(pool, 11.19)).toBeCloseTo(11.44, 12)
    expect(defaultMaxApy(pool, 11.21)).toBeCloseTo(11.45, 12)
    expect(defaultMaxApy(pool, Number.POSITIVE_INFINITY)).toBeCloseTo(11.45, 12)
    expect(defaultMaxApy(pool)).toBeCloseTo(11.45, 12)
  })
})

test('costAtApy: the cost whose effective APY is the rate, rounded down', () => {
  const terms = { notional: 10n ** 15n, from: now, expiry: now + 91 * 86_400 }
  const vrtAmount = costAtApy(7.13, terms)
  expect(effectiveApyOf({ notional: terms.notional, vrtAmount }, terms.expiry, now)).toBeCloseTo(7.13, 4)
  expect(costAtApy(7.13, { ...terms, from: terms.expiry })).toBe(0n)
  expect(costAtApy(7.13, { ...terms, from: terms.expiry + 1 })).toBe(0n)
})

describe('priceLimitOf', () => {
  test('default: five points above the variable rate, for the term of the auction', () => {
    expect(priceLimitOf(auction, pool)).toBe(102_736n)
    expect(priceLimitOf({ ...auction, expiry: now + 15_768_000 }, pool)).toBe(52_760n)
  })

  test("behavior: the request's own limit counts, whatever the variable rate is", () => {
    expect(priceLimitOf({ ...auction, maxVrtAmount: 5n }, pool)).toBe(5n)
  })
})
