import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { exp, fixed, ln, one } from '../../test/fixedPoint.ts'
import { InvalidInputError } from '../errors.ts'
import {
  aprToApy,
  aprToRatePerSec,
  apyToApr,
  apyToRatePerSec,
  maxRatePercent,
  maxRatePerSec,
  ratePerSecToApr,
  ratePerSecToApy,
  secondsPerYear,
} from './rates.ts'

const year = BigInt(secondsPerYear)
const wadUnit = one / 10n ** 18n

const referenceRateFromApy = (percent: number): bigint => exp(ln(one + fixed(percent) / 100n) / year) - one
const referenceApy = (rate: bigint): bigint => (exp(year * ln(one + rate)) - one) * 100n

/** Asserts that |actual - reference| <= reference / 1e12, a thousandth of the documented error. */
function expectClose(actual: number, reference: bigint): void {
  const difference = fixed(actual) - reference
  const limit = reference / 10n ** 12n
  expect({ actual, close: difference <= limit && difference >= -limit }).toEqual({ actual, close: true })
}

/** Asserts that a rate is rounded to the nearest whole unit, within 0.501 units of the reference. */
function expectNearest(rate: bigint, reference: bigint): void {
  const difference = rate * wadUnit - reference
  const limit = (wadUnit * 501n) / 1000n
  expect({ rate, nearest: difference <= limit && difference >= -limit }).toEqual({ rate, nearest: true })
}

const anyPercent = fc.oneof(
  fc.double({ min: 1e-15, max: 1000, noNaN: true }),
  fc.double({ min: 0.01, max: 1000, noNaN: true }),
  fc.integer({ min: 1, max: 100_000 }).map((basisPoints) => basisPoints / 100),
)
const rateOf = (percent: number) => fc.bigInt({ min: 0n, max: BigInt(Math.floor((percent * 1e16) / secondsPerYear)) })
const halfUnitPercent = 0.5e-18 * secondsPerYear * 100

describe('known values', () => {
  test('default', () => {
    expect(aprToRatePerSec(5)).toBe(1_585_489_599n)
    // 1.547125957863…e-9: the value published by other protocols for 5 % a year, compounded every second.
    expect(apyToRatePerSec(5)).toBe(1_547_125_958n)
    expect(ratePerSecToApr(1_585_489_599n)).toBeCloseTo(5, 8)
    expect(ratePerSecToApy(1_547_125_958n)).toBeCloseTo(5, 8)
    expect(aprToApy(5)).toBeCloseTo(5.127_109_63, 7)
    expect(apyToApr(5)).toBeCloseTo(4.879_016_42, 7)
  })

  test('behavior: zero is zero, both ways', () => {
    expect([apyToRatePerSec(0), aprToRatePerSec(0)]).toEqual([0n, 0n])
    expect([ratePerSecToApy(0n), ratePerSecToApr(0n), apyToApr(0), aprToApy(0)]).toEqual([0, 0, 0, 0])
  })

  test('behavior: the bounds themselves are accepted', () => {
    expect(aprToRatePerSec(maxRatePercent)).toBe(maxRatePerSec)
    expect(ratePerSecToApr(maxRatePerSec)).toBeCloseTo(maxRatePercent, 6)
    expect(ratePerSecToApy(apyToRatePerSec(maxRatePercent)) / maxRatePercent).toBeCloseTo(1, 9)
  })

  test('behavior: the smallest numbers round-trip from APR to APY', () => {
    for (const percent of [Number.MIN_VALUE, 1e-300, 1e-20, 9.99e-13]) {
      expect([aprToApy(percent), apyToApr(percent)]).toEqual([percent, percent])
    }
  })
})

describe('against a hundred-digit reference, 0 to 1000 %', () => {
  test('default', () => {
    fc.assert(
      fc.property(anyPercent, (percent) => {
        expectNearest(apyToRatePerSec(percent), referenceRateFromApy(percent))
        expectNearest(aprToRatePerSec(percent), fixed(percent) / 100n / year)
      }),
    )
  })

  test('behavior: APR and APY, either way', () => {
    fc.assert(
      fc.property(anyPercent, (percent) => {
        expectClose(apyToApr(percent), referenceRateFromApy(percent) * year * 100n)
        expectClose(aprToApy(percent), referenceApy(fixed(percent) / 100n / year))
      }),
    )
  })

  test('behavior: rates per second to percent', () => {
    fc.assert(
      fc.property(rateOf(1000), (rate) => {
        expectClose(ratePerSecToApr(rate), rate * wadUnit * year * 100n)
        expectClose(ratePerSecToApy(rate), referenceApy(rate * wadUnit))
      }),
    )
  })
})

describe('round trips', () => {
  test('default', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.58, max: 1000, noNaN: true }), (percent) => {
        expect(Math.abs(ratePerSecToApr(aprToRatePerSec(percent)) / percent - 1)).toBeLessThanOrEqual(1e-9)
      }),
    )
    fc.assert(
      fc.property(fc.double({ min: 1.61, max: 1000, noNaN: true }), (percent) => {
        expect(Math.abs(ratePerSecToApy(apyToRatePerSec(percent)) / percent - 1)).toBeLessThanOrEqual(1e-9)
      }),
    )
  })

  test('behavior: any percentage round-trips within half a unit of 1e-18 per second', () => {
    fc.assert(
      fc.property(anyPercent, (percent) => {
        const apr = Math.abs(ratePerSecToApr(aprToRatePerSec(percent)) - percent)
        expect(apr).toBeLessThanOrEqual(halfUnitPercent * 1.002 + percent * 1e-14)
        const apy = Math.abs(ratePerSecToApy(apyToRatePerSec(percent)) - percent)
        expect(apy).toBeLessThanOrEqual(halfUnitPercent * 1.002 * (1 + percent / 100) + percent * 1e-14)
      }),
    )
  })

  test('behavior: a rate round-trips exactly', () => {
    fc.assert(fc.property(rateOf(1000), (rate) => aprToRatePerSec(ratePerSecToApr(rate)) === rate))
    fc.assert(fc.property(rateOf(239), (rate) => apyToRatePerSec(ratePerSecToApy(rate)) === rate))
  })

  test('behavior: APY to APR and back', () => {
    fc.assert(
      fc.property(anyPercent, (percent) => {
        expect(Math.abs(aprToApy(apyToApr(percent)) / percent - 1)).toBeLessThanOrEqual(1e-12)
      }),
    )
  })
})

describe('refusals', () => {
  const fromPercent = { apyToRatePerSec, aprToRatePerSec, apyToApr, aprToApy }
  const fromRate = { ratePerSecToApy, ratePerSecToApr }

  test.each(Object.entries(fromPercent))('error: %s refuses what is not a percentage in range', (name, convert) => {
    for (const percent of [Number.NaN, Number.POSITIVE_INFINITY, -1, -Number.MIN_VALUE, maxRatePercent * 1.000001]) {
      expect(() => convert(percent)).toThrow(InvalidInputError)
    }
    const notANumber = () => convert('5' as unknown as number)
    expect(notANumber).toThrow('must be a percentage from 0 to 1000000.')
    expect(notANumber).toThrow(expect.objectContaining({ path: `${name.slice(0, 3)}Percent` }))
  })

  test.each(Object.entries(fromRate))('error: %s refuses what is not a rate in range', (_name, convert) => {
    for (const rate of [-1n, maxRatePerSec + 1n, 2n ** 256n]) expect(() => convert(rate)).toThrow(InvalidInputError)
    const notABigint = () => convert(5 as unknown as bigint)
    expect(notABigint).toThrow(`must be a bigint from 0 to ${maxRatePerSec}, in WAD per second.`)
    expect(notABigint).toThrow(expect.objectContaining({ path: 'ratePerSec' }))
  })

  test('error: a yield that no number can hold', () => {
    const calls: [() => number, string][] = [
      [() => aprToApy(100_000), 'aprPercent'],
      [() => ratePerSecToApy(maxRatePerSec), 'ratePerSec'],
    ]
    for (const [call, path] of calls) {
      expect(call).toThrow('compounds to a yield too large for a number.')
      expect(call).toThrow(expect.objectContaining({ path }))
    }
  })
})
