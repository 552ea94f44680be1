import { describe, expect, test } from '@jest/globals'
import { breakEvenRate, costOf, payoffAt } from './payoff.ts'

const days = 86_400
// The position fixes 100,000 tokens with six decimals for 91 days, at 6.50 %.
const notional = 100_000_000_000n
const fixing = { notional, cost: 1_620_547_946n, seconds: 91 * days }
/** Converts percent per year to WAD per second, rounded up so that the yearly rate reaches the whole percent. */
const percent = (value: bigint) => (value * 10n ** 16n + 31_535_999n) / 31_536_000n

describe('payoffAt', () => {
  test('default: the payout is the floating interest, so that the cost alone is left', () => {
    const { interest, payout, fixedTotal, floatingTotal } = payoffAt(fixing, percent(8n))
    // 100,000 * 8 % * 91 / 365
    expect(interest / 10_000n).toBe(199_452n)
    expect(payout).toBe(interest)
    expect(fixedTotal).toBe(fixing.cost)
    expect(floatingTotal).toBe(interest)
  })

  test('behavior: without any floating interest nothing is paid out, and the cost is paid all the same', () => {
    expect(payoffAt(fixing, 0n)).toEqual({ interest: 0n, payout: 0n, fixedTotal: fixing.cost, floatingTotal: 0n })
  })

  test('behavior: the payout ends at the notional, and what is beyond it stays with the borrower', () => {
    const most = 10n ** 18n / BigInt(fixing.seconds)
    expect(payoffAt(fixing, most).payout).toBeLessThan(notional)
    expect(payoffAt(fixing, most + 1n)).toMatchObject({ payout: notional })
    const { interest, payout, fixedTotal } = payoffAt(fixing, 2n * most)
    expect([payout, fixedTotal]).toEqual([notional, fixing.cost + interest - notional])
    expect(interest).toBeGreaterThan(notional)
  })
})

describe('breakEvenRate', () => {
  test('default: the lowest average at which floating costs as much as was paid', () => {
    const rate = breakEvenRate(fixing)
    expect(payoffAt(fixing, rate).floatingTotal).toBeGreaterThanOrEqual(fixing.cost)
    expect(payoffAt(fixing, rate - 1n).floatingTotal).toBeLessThan(fixing.cost)
  })
})

describe('costOf', () => {
  test('default: a simple rate over its time, rounded up', () => {
    expect(costOf(notional, 650n, 91 * days)).toBe(fixing.cost)
    expect(costOf(1n, 1n, 1)).toBe(1n)
    expect(costOf(10_000n, 10_000n, 365 * days)).toBe(10_000n)
  })
})
