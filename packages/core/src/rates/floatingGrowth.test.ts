import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { exp, one } from '../../test/fixedPoint.ts'
import { floatingGrowth } from './floatingGrowth.ts'
import { maxRatePerSec, secondsPerYear } from './rates.ts'

const ray = 10n ** 27n
/** A rate of 1e-9 per second, about 3 % a year. */
const rate = 10n ** 9n

describe('floatingGrowth', () => {
  test('default: 5 % APR for a year, and no growth without a rate or a time', () => {
    expect(floatingGrowth(1_585_489_599n, secondsPerYear)).toBe(1_051_271_096_369_783_694_469_448_078n)
    expect(floatingGrowth(0n, secondsPerYear)).toBe(ray)
    expect(floatingGrowth(maxRatePerSec, 0)).toBe(ray)
  })

  test('behavior: every digit of a hundred-digit reference, rounded down', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.integer({ min: 0, max: 2 * secondsPerYear }),
        (ratePerSec, seconds) => {
          const reference = exp((ratePerSec * BigInt(seconds) * one) / 10n ** 18n)
          expect(floatingGrowth(ratePerSec, seconds)).toBe((reference * ray) / one)
        },
      ),
    )
  })

  test('behavior: at most the largest index of the contract, whose logarithm in RAY is 70.91446116…', () => {
    const largest = 2n ** 192n - 1n
    expect(floatingGrowth(rate, 70_914_461_156)).toBeLessThan(largest)
    expect(floatingGrowth(rate, 70_914_461_157)).toBe(largest)
    expect(floatingGrowth(maxRatePerSec, Number.MAX_SAFE_INTEGER)).toBe(largest)
  })

  test.each([
    ['a negative rate', -1n, 1, 'ratePerSec'],
    ['a rate above the maximum', maxRatePerSec + 1n, 1, 'ratePerSec'],
    ['a negative time', rate, -1, 'seconds'],
    ['half a second', rate, 0.5, 'seconds'],
  ])('error: %s', (_what, ratePerSec, seconds, path) => {
    expect(() => floatingGrowth(ratePerSec, seconds)).toThrow(expect.objectContaining({ path }))
  })
})
