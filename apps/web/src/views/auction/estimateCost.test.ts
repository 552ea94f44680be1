import { quoteApr } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { costAtApr, perYear } from './estimateCost.ts'

const year = 31_536_000

describe('estimateCost', () => {
  test('default: a year at 5 % is a twentieth', () => {
    expect(costAtApr(1_000_000n, 5, year)).toBe(50_000n)
    expect(costAtApr(1_000_000n, 5, year / 2)).toBe(25_000n)
    expect(perYear(25_000n, year / 2)).toBe(50_000n)
    expect(costAtApr(0n, 5, year)).toBe(0n)
  })

  test("behavior: the rate of a cost's own APR is that cost", () => {
    const amount = fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n })
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 3_600, max: 3 * year }),
        (notional, bps, seconds) => {
          const vrtAmount = costAtApr(notional, bps / 100, seconds)
          const apr = quoteApr({ notional, vrtAmount }, 1_800_000_000 + seconds, 1_800_000_000)
          const again = costAtApr(notional, apr, seconds)
          // The tenth decimal of a percent is cut off.
          expect(again <= vrtAmount + 1n && vrtAmount - again <= 1n + notional / 10n ** 10n).toBe(true)
        },
      ),
    )
  })
})
