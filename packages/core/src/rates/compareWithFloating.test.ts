import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { quoteEffectiveApy } from '../quote/quotePrice.ts'
import { compareWithFloating } from './compareWithFloating.ts'
import { floatingGrowth } from './floatingGrowth.ts'
import { ratePerSecToApy, secondsPerYear } from './rates.ts'

const ray = 10n ** 27n
const price = { notional: 1_000n, vrtAmount: 101n }

describe('compareWithFloating', () => {
  test('default: both costs at maturity, and their difference', () => {
    // 10 % of growth: 111.1 instead of 100.
    const growth = (11n * ray) / 10n
    expect(compareWithFloating(price, growth)).toEqual({
      fixedCost: 111n,
      floatingCost: 100n,
      payout: 100n,
      difference: 11n,
    })
    const cheap = { ...price, vrtAmount: 90n }
    expect(compareWithFloating(cheap, growth)).toMatchObject({ fixedCost: 99n, difference: -1n })
    expect(compareWithFloating(price, ray)).toEqual({ fixedCost: 101n, floatingCost: 0n, payout: 0n, difference: 101n })
  })

  test('behavior: beyond a growth of 2, the payout is capped and the difference is the cost above it', () => {
    expect(compareWithFloating(price, 2n * ray)).toEqual({
      fixedCost: 202n,
      floatingCost: 1_000n,
      payout: 1_000n,
      difference: -798n,
    })
    expect(compareWithFloating(price, 3n * ray)).toEqual({
      fixedCost: 303n,
      floatingCost: 2_000n,
      payout: 1_000n,
      difference: -697n,
    })
  })

  test('behavior: fixing costs more exactly if the effective APY exceeds the floating one', () => {
    // Both APYs are within 1e-5 percentage points: the effective one is rounded to 1e-6, and up to 100 % APR the
    // floating one, compounded every second, is 4.3e-6 below the continuous one.
    const margin = 1e-5
    let [more, less] = [0, 0]
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10n ** 12n, max: 10n ** 30n }),
        fc.integer({ min: 86_400, max: 2 * secondsPerYear }),
        fc.integer({ min: 0, max: 31_709_791_983 }),
        // The cost relative to the break-even one, in millionths.
        fc.bigInt({ min: 800_000n, max: 1_200_000n }),
        (notional, seconds, rate, relative) => {
          const growth = floatingGrowth(BigInt(rate), seconds)
          fc.pre(growth <= 2n * ray)
          const evenCost = (notional * (growth - ray)) / growth
          const vrtAmount = (evenCost * relative) / 1_000_000n
          const effective = quoteEffectiveApy({ notional, vrtAmount }, seconds, 0) ?? Number.POSITIVE_INFINITY
          const gap = effective - ratePerSecToApy(BigInt(rate))
          fc.pre(Math.abs(gap) > margin)
          if (gap > 0) more += 1
          else less += 1
          const { difference } = compareWithFloating({ notional, vrtAmount }, growth)
          expect(difference > 0n).toBe(gap > 0)
        },
      ),
    )
    expect(Math.min(more, less)).toBeGreaterThan(20)
  })

  test.each([
    ['no notional', { notional: 0n, vrtAmount: 1n }, ray, 'notional'],
    ['a negative cost', { notional: 1n, vrtAmount: -1n }, ray, 'vrtAmount'],
    ['a fallen index', price, ray - 1n, 'growth'],
  ])('error: %s', (_what, terms, growth, path) => {
    expect(() => compareWithFloating(terms, growth)).toThrow(expect.objectContaining({ path }))
  })
})
