import { expect, test } from '@jest/globals'
import { exp, ln, one } from '../../../../../packages/core/test/fixedPoint.ts'
import { payoffAt } from './payoffAt.ts'

const fixing = { notional: 1_000_000n, cost: 60_000n, seconds: 31_536_000 }

test('default: the totals at maturity are the cost with its interest, and the floating interest', () => {
  expect(payoffAt(fixing, 10)).toEqual({
    fixedCost: 66_000n,
    interest: 100_000n,
    payout: 100_000n,
    fixedTotal: 66_000n,
    floatingTotal: 100_000n,
  })
  expect(payoffAt(fixing, 0)).toEqual({
    fixedCost: 60_000n,
    interest: 0n,
    payout: 0n,
    fixedTotal: 60_000n,
    floatingTotal: 0n,
  })
})

test('behavior: beyond the cap, the interest that is not paid back counts', () => {
  expect(payoffAt(fixing, 150)).toEqual({
    fixedCost: 150_000n,
    interest: 1_500_000n,
    payout: 1_000_000n,
    fixedTotal: 650_000n,
    floatingTotal: 1_500_000n,
  })
})

test('behavior: random totals match sixty-digit arithmetic, below and above the cap', () => {
  const random = seeded(20_261_128n)
  let capped = 0
  for (let round = 0; round < 200; round += 1) {
    const notional = random(1_000_000n, 10n ** 15n)
    const cost = random(0n, notional / 5n)
    const days = random(1n, 730n)
    const apy = random(0n, round % 4 === 0 ? 300n : 20n)
    // An APY compounds each second, and the market continuously.
    const perSecond = exp(ln(one + (one * apy) / 100n) / 31_536_000n) - one
    const growth = exp(perSecond * days * 86_400n)
    const interest = Number((notional * (growth - one)) / one)
    const fixedCost = Number((cost * growth) / one)
    const left = Math.max(0, interest - Number(notional))
    if (left > 0) capped += 1
    const { fixedTotal, floatingTotal } = payoffAt({ notional, cost, seconds: Number(days) * 86_400 }, Number(apy))
    // The rate per second has a relative error of 1e-9.
    const most = (4e-9 * Number(notional) * Number(growth)) / Number(one) + 2
    expect([
      Math.abs(Number(floatingTotal) - interest) <= most,
      Math.abs(Number(fixedTotal) - fixedCost - left) <= 2 * most,
    ]).toEqual([true, true])
  }
  expect(capped).toBeGreaterThan(10)
})

/** Returns a reproducible generator of integers in a range, both ends included. */
function seeded(seed: bigint): (least: bigint, most: bigint) => bigint {
  let state = seed
  return (least, most) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return least + ((state >> 3n) % (most - least + 1n))
  }
}
