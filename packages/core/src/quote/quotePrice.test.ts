import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { exp, fixed, ln, one } from '../../test/fixedPoint.ts'
import { maxRatePercent, secondsPerYear } from '../rates/rates.ts'
import { maxUint256 } from '../values/uint256.ts'
import { comparePrices, quoteApr, quoteEffectiveApy } from './quotePrice.ts'

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

describe('quoteEffectiveApy', () => {
  const notional = 1_000_000n
  const year = BigInt(secondsPerYear)

  test('default: 7.15 % paid in advance for a year is 7.70 % APY', () => {
    expect(quoteEffectiveApy({ notional, vrtAmount: 71_500n }, secondsPerYear, 0)).toBe(7.700592)
    expect(quoteEffectiveApy({ notional, vrtAmount: 0n }, secondsPerYear, 0)).toBe(0)
  })

  test('behavior: null once the cost exceeds half of the notional, or the rate a million percent', () => {
    expect(quoteEffectiveApy({ notional, vrtAmount: 500_000n }, secondsPerYear, 0)).toBe(100)
    expect(quoteEffectiveApy({ notional, vrtAmount: 500_001n }, secondsPerYear, 0)).toBeNull()
    // Doubling 13 times within a year is 819,100 %, and 14 times is 1,638,300 %.
    expect(quoteEffectiveApy({ notional, vrtAmount: 500_000n }, secondsPerYear / 13, 0)).toBeCloseTo(819_100, -1)
    expect(quoteEffectiveApy({ notional, vrtAmount: 500_000n }, secondsPerYear / 14, 0)).toBeNull()
  })

  test('behavior: within 1e-9 of a sixty-digit reference, plus the rounding', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        fc.double({ min: 1e-12, max: 0.5, noNaN: true }),
        fc.integer({ min: 1, max: 10 * secondsPerYear }),
        (size, share, left) => {
          const vrtAmount = (size * fixed(share)) / one
          const apy = quoteEffectiveApy({ notional: size, vrtAmount }, left, 0)
          const growth = (ln((size * one) / (size - vrtAmount)) * year) / BigInt(left)
          if (apy === null) {
            expect(growth).toBeGreaterThan(ln(one * (1n + BigInt(maxRatePercent) / 100n)) - one / 10n ** 8n)
            return
          }
          compared += 1
          const reference = (exp(growth) - one) * 100n
          const difference = fixed(apy) - reference
          const allowed = reference / 10n ** 9n + one / 1_999_999n
          expect({ apy, close: difference <= allowed && difference >= -allowed }).toEqual({ apy, close: true })
        },
      ),
    )
    expect(compared).toBeGreaterThan(50)
  })

  test('error: no time left', () => {
    expect(() => quoteEffectiveApy({ notional, vrtAmount: 0n }, 10, 10)).toThrow(
      expect.objectContaining({ path: 'expiry' }),
    )
  })
})
