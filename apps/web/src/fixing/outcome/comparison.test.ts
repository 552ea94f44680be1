import { describe, expect, test } from '@jest/globals'
import { compareWithFloating } from './comparison.ts'

const year = 31_536_000
const ratePerSec = 10n ** 18n / 20n / BigInt(year)
const price = { notional: 1_000_000_000_000n, from: 1_800_000_000, expiry: 1_800_000_000 + year / 2 }

describe('compareWithFloating', () => {
  test('default: what certainty costs for the term, and in a year', () => {
    expect(compareWithFloating({ ...price, cost: 30_000_000_000n }, ratePerSec)).toEqual({
      seconds: year / 2,
      breakEvenApr: 6,
      // Half of 5 %. The small difference from that amount is due to truncation of the rate per second.
      floatingCost: 24_999_999_997n,
      moreForTerm: 5_000_000_003n,
      moreAYear: 10_000_000_006n,
    })
  })

  test('behavior: negative where fixing costs less', () => {
    expect(compareWithFloating({ ...price, cost: 20_000_000_000n }, ratePerSec)).toMatchObject({
      breakEvenApr: 4,
      moreForTerm: -4_999_999_997n,
      moreAYear: -9_999_999_994n,
    })
  })

  test('behavior: nothing where both cost the same', () => {
    expect(compareWithFloating({ ...price, cost: 24_999_999_997n }, ratePerSec)).toMatchObject({
      moreForTerm: 0n,
      moreAYear: 0n,
    })
  })
})
