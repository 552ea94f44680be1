import { expect, test } from '@jest/globals'
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
