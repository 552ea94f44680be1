import { quoteApr } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { checkedLimit, maxVrtAmountOf, type PriceLimit } from './priceLimit.ts'

const year = { expiry: 2_000_000_000, at: 2_000_000_000n - 31_536_000n }

describe('maxVrtAmountOf', () => {
  test('default: an APR over the remaining term, rounded down; an amount is unchanged', () => {
    expect(maxVrtAmountOf({ maxApr: 8 }, 1_000_000n, year)).toBe(80_000n)
    expect(maxVrtAmountOf({ maxApr: 8 }, 99n, year)).toBe(7n)
    expect(maxVrtAmountOf({ maxApr: 8 }, 1_000_000n, { ...year, at: year.at + 15_768_000n })).toBe(40_000n)
    expect(maxVrtAmountOf({ maxVrtAmount: 5n }, 1_000_000n, year)).toBe(5n)
  })

  test('behavior: pays nothing for an empty term', () => {
    expect(maxVrtAmountOf({ maxApr: 8 }, 1_000_000n, { ...year, at: 2_000_000_000n })).toBe(0n)
    expect(maxVrtAmountOf({ maxApr: 8 }, 1_000_000n, { ...year, at: 2_000_000_001n })).toBe(0n)
    expect(maxVrtAmountOf({ maxApr: 8 }, 1_000_000n, { ...year, at: 3_000_000_000n })).toBe(0n)
  })

  test.each([0, 0.1, 6.53, 7.123456789, 1e-10, 1_000_000])(
    'behavior: %d %% never comes to more than that',
    (maxApr) => {
      const notional = 10n ** 24n
      const vrtAmount = maxVrtAmountOf({ maxApr, unit: 'percent' }, notional, year)
      expect(quoteApr({ notional, vrtAmount }, year.expiry, Number(year.at))).toBeLessThanOrEqual(maxApr)
      const above = quoteApr({ notional, vrtAmount }, year.expiry, Number(year.at)) + 2e-10
      expect(above).toBeGreaterThan(maxApr)
    },
  )
})

describe('checkedLimit', () => {
  test('default', () => {
    expect(checkedLimit({ maxApr: 0 })).toEqual({ maxApr: 0 })
    expect(checkedLimit({ maxVrtAmount: 0n })).toEqual({ maxVrtAmount: 0n })
  })

  test('behavior: an APR below 0.5 needs its unit, because 0.07 is often meant as 7 %', () => {
    expect(checkedLimit({ maxApr: 0.5 })).toEqual({ maxApr: 0.5 })
    expect(checkedLimit({ maxApr: 0.49, unit: 'percent' })).toEqual({ maxApr: 0.49, unit: 'percent' })
    expect(() => checkedLimit({ maxApr: 0.49 })).toThrow(
      "limit.maxApr: means 0.49 %. Pass 49 for 49 %, or add unit: 'percent'.",
    )
  })

  test.each<[string, unknown, string]>([
    ['none', undefined, 'limit'],
    ['an empty one', {}, 'limit'],
    ['two', { maxApr: 8, maxVrtAmount: 1n }, 'limit'],
    ['an APR that is none', { maxApr: Number.NaN }, 'limit.maxApr'],
    ['a negative APR', { maxApr: -1 }, 'limit.maxApr'],
    ['an APR above all', { maxApr: 1_000_001 }, 'limit.maxApr'],
    ['a text', { maxApr: '8' }, 'limit.maxApr'],
    ['a negative amount', { maxVrtAmount: -1n }, 'limit.maxVrtAmount'],
    ['a number', { maxVrtAmount: 1 }, 'limit.maxVrtAmount'],
  ])('error: %s', (_what, limit, path) => {
    expect(() => checkedLimit(limit as PriceLimit)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
  })
})
