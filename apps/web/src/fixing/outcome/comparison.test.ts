import { formatPrincipal, formatRate } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { exp, ln, one } from '../../../../../packages/core/test/fixedPoint.ts'
import { chooseWords } from '../../copy/words.ts'
import { compareAtRate } from './comparison.ts'
import { effectiveApyOf } from './effectiveApy.ts'

const year = 31_536_000
const from = 1_800_000_000

describe('compareAtRate', () => {
  // The contract paid 47,502.23 for this position at this constant rate.
  const price = { notional: 3_000_000_000_000n, cost: 49_769_500_000n, from, expiry: from + 7_926_902 }
  const ratePerSec = (625n * 10n ** 14n) / BigInt(year)

  test('default: 3,000,000 fixed for about three months', () => {
    const { floatingCost, payout, fixedCost, difference } = compareAtRate(price, ratePerSec)
    expect([floatingCost, payout, fixedCost, difference].map((amount) => formatPrincipal(amount, 6))).toEqual([
      '47,502.231168',
      '47,502.231168',
      '50,557.554098',
      '3,055.32293',
    ])
  })

  test('behavior: every figure is a forty-digit reference to the last digit shown', () => {
    const formats = chooseWords(['en-GB']).formats
    const random = seeded(20_261_128n)
    let capped = 0
    for (let round = 0; round < 60; round += 1) {
      const decimals = [6, 8, 18][round % 3] ?? 6
      const token = { symbol: 'T', decimals }
      const notional = random(1n, 10n ** 9n) * 10n ** BigInt(decimals - 2) + random(0n, 10n ** BigInt(decimals - 2))
      const seconds = Number(random(86_400n, BigInt(2 * year)))
      // Up to 20 % APR, and now and then up to 200 %, where the payout reaches the cap.
      const rate = random(0n, round % 5 === 0 ? 63_419_583_967n : 6_341_958_396n)
      const exponent = (rate * BigInt(seconds) * one) / 10n ** 18n
      const growth = exp(exponent)
      const atPar = one - (one * one) / growth
      const relative = random(50n, 200n)
      const cost = (notional * atPar * relative) / one / 100n

      const compared = compareAtRate({ notional, cost, from, expiry: from + seconds }, rate)
      const floatingCost = (notional * (growth - one)) / one
      const payout = floatingCost < notional ? floatingCost : notional
      const fixedCost = (cost * growth) / one
      if (payout < floatingCost) capped += 1
      const reference = { floatingCost, fixedCost, payout, difference: fixedCost - payout }
      const shown = (figures: typeof reference) =>
        Object.entries(figures).map(([name, raw]) => {
          const size = raw < 0n ? -raw : raw
          const sign = raw < 0n ? '-' : ''
          return [name, sign + formats.amount(size, token), formats.cost(size, token), formatPrincipal(size, decimals)]
        })
      expect(shown(compared)).toEqual(shown(reference))

      const apy = effectiveApyOf({ notional, vrtAmount: cost }, from + seconds, from)
      if (2n * cost > notional) {
        expect(apy).toBe(Number.POSITIVE_INFINITY)
        continue
      }
      const share = (cost * one) / notional
      const yearly = (ln((one * one) / (one - share)) * BigInt(year)) / BigInt(seconds)
      const referenceApy = Number(((exp(yearly) - one) * 100n * 10n ** 12n) / one) / 1e12
      expect([formats.rate(apy), formatRate(apy)]).toEqual([formats.rate(referenceApy), formatRate(referenceApy)])
    }
    expect(capped).toBeGreaterThan(0)
  })
})

/** Returns a reproducible generator of integers in a range, both ends included. */
function seeded(seed: bigint): (least: bigint, most: bigint) => bigint {
  let state = seed
  return (least, most) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return least + ((state >> 3n) % (most - least + 1n))
  }
}
