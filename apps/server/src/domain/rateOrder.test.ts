import { comparePrices, quoteEffectiveApy } from '@firmquote/core'
import { drawSeed } from '@firmquote/test-support/coverage'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { compareRates, costPerSecond, lowestPrice, priceOf } from './rateOrder.ts'

const price = fc
  .tuple(fc.bigInt(1n, 2n ** 127n), fc.bigInt(0n, 10n ** 18n))
  .map(([notional, share]) => ({ notional, vrtAmount: (notional * share) / 10n ** 18n }))
const left = fc.integer({ min: 1, max: 10 * 365 * 86_400 })

describe('priceOf', () => {
  test('default: the cost as a share of the notional', () => {
    expect(priceOf({ notional: 1_000_000n, vrtAmount: 71_500n })).toBe(0.0715)
  })

  test('behavior: numbers follow the exact order', () => {
    fc.assert(
      fc.property(price, price, (a, b) => {
        const difference = priceOf(a) - priceOf(b)
        const exact = a.vrtAmount * b.notional - b.vrtAmount * a.notional
        if (difference !== 0) expect(Math.sign(difference)).toBe(exact < 0n ? -1 : 1)
        if (exact !== 0n && difference !== 0) expect(Math.sign(difference)).toBe(comparePrices(a, b))
      }),
      { seed: drawSeed() },
    )
  })
})

describe('costPerSecond', () => {
  test('default: orders prices of different terms as their effective APYs do', () => {
    fc.assert(
      fc.property(price, price, left, left, (a, b, leftOfA, leftOfB) => {
        const [one, other] = [quoteEffectiveApy(a, leftOfA, 0), quoteEffectiveApy(b, leftOfB, 0)]
        const difference = costPerSecond(priceOf(a), leftOfA) - costPerSecond(priceOf(b), leftOfB)
        // The APY is rounded.
        if (one !== null && other !== null && one !== other) expect(Math.sign(difference)).toBe(one < other ? -1 : 1)
      }),
      { seed: drawSeed() },
    )
  })

  test('behavior: a cost of more than half the notional comes last', () => {
    expect([0.5, 0.5 + 2 ** -53].map((share) => costPerSecond(share, 1))).toEqual([Math.LN2, Number.POSITIVE_INFINITY])
  })
})

test('lowestPrice: default: the first price above a cost, or at it', () => {
  fc.assert(
    fc.property(price, left, left, fc.boolean(), (given, leftOfGiven, other, orEqual) => {
      const cost = costPerSecond(priceOf(given), leftOfGiven)
      const isAbove = (share: number) =>
        costPerSecond(share, other) > cost || (orEqual && costPerSecond(share, other) === cost)
      const lowest = lowestPrice(cost, other, { orEqual })
      if (lowest === Number.MAX_VALUE) return expect(isAbove(1)).toBe(false)
      expect(isAbove(lowest)).toBe(true)
      if (lowest > 0) expect(isAbove(below(lowest))).toBe(false)
    }),
    {
      seed: drawSeed(),
      examples: [
        [{ notional: 1n, vrtAmount: 0n }, 1, 1, true],
        [{ notional: 1n, vrtAmount: 0n }, 1, 1, false],
      ],
    },
  )
})

test('compareRates: default: by cost, then by series, price and age', () => {
  const at = (cost: number, series: string, price: number, row: number) => ({ cost, series, price, row })
  const sorted = [at(1, 'b', 5, 9), at(2, 'a', 1, 7), at(2, 'a', 2, 3), at(2, 'a', 2, 4), at(2, 'b', 0, 1)]
  expect(sorted.toReversed().sort(compareRates)).toEqual(sorted)
})

/** The next lower number. */
function below(value: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigUint64(0, view.getBigUint64(0) - 1n)
  return view.getFloat64(0)
}
