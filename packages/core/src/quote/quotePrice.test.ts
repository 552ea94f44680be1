import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { secondsPerYear } from '../rates/rates.ts'
import { maxUint256 } from '../values/uint256.ts'
import { comparePrices, quoteApr } from './quotePrice.ts'

const anyPrice = fc.record({
  notional: fc.bigInt({ min: 1n, max: maxUint256 }),
  vrtAmount: fc.bigInt({ min: 0n, max: maxUint256 }),
})

describe('comparePrices', () => {
  test('default: the lowest rate, then the larger notional', () => {
    const cheap = { notional: 100n, vrtAmount: 1n }
    const large = { notional: 200n, vrtAmount: 2n }
    const dear = { notional: 100n, vrtAmount: 2n }
    expect([dear, cheap, large].sort(comparePrices)).toEqual([large, cheap, dear])
  })

  test('behavior: decides beyond the precision of a float', () => {
    const a = { notional: 10n ** 30n, vrtAmount: 10n ** 28n }
    const b = { notional: 10n ** 30n, vrtAmount: 10n ** 28n + 1n }
    expect(comparePrices(a, b)).toBe(-1)
    expect(comparePrices(b, a)).toBe(1)
  })

  test('behavior: a total order', () => {
    fc.assert(
      fc.property(anyPrice, anyPrice, anyPrice, (a, b, c) => {
        expect(comparePrices(a, b) + comparePrices(b, a)).toBe(0)
        if (comparePrices(a, b) <= 0 && comparePrices(b, c) <= 0) expect(comparePrices(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })
})

describe('quoteApr', () => {
  test('default: 2.5 % for half a year is 5 % a year', () => {
    expect(quoteApr({ notional: 1_000_000n, vrtAmount: 25_000n }, secondsPerYear / 2, 0)).toBe(5)
  })

  test('error: no time left, no notional', () => {
    expect(() => quoteApr({ notional: 1n, vrtAmount: 0n }, 10, 10)).toThrow(expect.objectContaining({ path: 'expiry' }))
    expect(() => quoteApr({ notional: 0n, vrtAmount: 0n }, 10, 1)).toThrow(
      expect.objectContaining({ path: 'notional' }),
    )
  })
})
