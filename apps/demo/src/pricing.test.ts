import { aprToRatePerSec, quoteApr, secondsPerYear } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { priceQuote } from './pricing.ts'

describe('priceQuote', () => {
  const notional = 250_000_000_000n

  test('default: floating rate plus spread', () => {
    const vrtAmount = priceQuote(notional, aprToRatePerSec(5), BigInt(secondsPerYear), {
      spreadBps: 25n,
      termBpsPerMonth: 0n,
    })
    expect(quoteApr({ notional, vrtAmount }, secondsPerYear, 0)).toBeCloseTo(5.25, 6)
  })

  test('behavior: a longer term costs more, and a fraction of a unit is rounded up', () => {
    const policy = { spreadBps: 0n, termBpsPerMonth: 10n }
    expect(priceQuote(notional, 0n, 29n * 86_400n, policy)).toBe(0n)
    expect(priceQuote(notional, 0n, 60n * 86_400n, policy)).toBe((notional * 20n * 60n) / (10_000n * 365n) + 1n)
  })
})
