import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { examplePosition } from '../../../test/fixing/exampleMarket.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { accrualOf } from './accrual.ts'

const day = 86_400
const position = examplePosition({ notional: 10n ** 12n, cost: 2n * 10n ** 10n })
const { expiry } = position
const openedAt = expiry - 100 * day
// 31.536 % a year.
const ratePerSec = 10n ** 10n
const rates = (...days: [day: number, rate: bigint][]) =>
  days.map(([at, rate]) => ({ at: openedAt + at * day, ratePerSec: rate }))
const accrual = (differences: Partial<Parameters<typeof accrualOf>[1]> = {}, terms = position) =>
  accrualOf(terms, { payout: 0n, openedAt, now: openedAt, readings: [], ratePerSec, ...differences })

describe('accrualOf', () => {
  test('default: one point per day from the opening to the expiry, and both ends', () => {
    const now = openedAt + 30 * day + 5
    const { past, future } = accrual({ now, payout: 10n ** 10n })
    expect(past.map(({ at }) => at).slice(0, 3)).toEqual([openedAt, openedAt + 5, openedAt + day + 5])
    expect([past.length, past.at(-1)?.at]).toEqual([32, now])
    expect([future[0], future.at(-1)?.at, future.length]).toEqual([past.at(-1), expiry, 71])
  })

  test('behavior: pays at the expiry what the contract pays, and costs what the comparison with floating says', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.bigInt({ min: 0n, max: 1_000_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.integer({ min: 1, max: 100 * day }),
        (notional, millionths, rate, left) => {
          const cost = (notional * millionths) / 1_000_000n
          const now = expiry - left
          const { future } = accrual({ openedAt: now, now, ratePerSec: rate }, { ...position, notional, cost })
          const told = compareAtRate({ notional, cost, from: now, expiry }, rate)
          expect(future.at(-1)?.payout).toBe(told.payout)
          // The comparison rounds the cost down.
          const difference = (future.at(-1)?.cost ?? 0n) - told.fixedCost
          expect(difference === 0n || difference === 1n).toBe(true)
        },
      ),
    )
  })

  test('behavior: the payout now is exact, and past days follow the rates', () => {
    const now = openedAt + 20 * day
    // Twice the rate in the second half: a third of the interest has accrued in the first.
    const { past } = accrual({ now, payout: 3_000_001n, readings: rates([-5, 10n ** 6n], [10, 2n * 10n ** 6n]) })
    expect(past.map(({ payout }) => payout).filter((_, index) => index % 10 === 0)).toEqual([0n, 999_999n, 3_000_001n])
    expect(past[10]?.cost).toBe(2n * 10n ** 10n + 20_000n)
  })

  test('behavior: without readings, or with a rate of zero, ends at the exact payout all the same', () => {
    const now = openedAt + 2 * day
    for (const readings of [[], rates([0, 0n]), rates([1, 10n ** 9n])]) {
      const { past } = accrual({ now, payout: 1_001n, readings })
      expect([past[0]?.payout, past.at(-1)?.payout]).toEqual([0n, 1_001n])
    }
  })

  test('behavior: breaks even at the first second at which the payout covers the cost', () => {
    const { evenAt } = accrual()
    // N (g - 1) = c g at g = 1 / (1 - 2 %), 2,020,271 seconds at 1e-8 per second.
    expect(evenAt).toBe(openedAt + 2_020_271)
    const dear = (cost: bigint) => accrual({}, { ...position, cost }).evenAt
    const { fixedCost, payout } = compareAtRate({ ...position, from: openedAt }, ratePerSec)
    const highest = (payout * 10n ** 12n) / (10n ** 12n + payout)
    expect(fixedCost < payout && highest > position.cost).toBe(true)
    expect(dear(highest - 1n)).not.toBeNull()
    expect(dear(highest + 1n)).toBeNull()
  })

  test('behavior: if the payout covers the cost already, names the day since which it does', () => {
    const now = openedAt + 20 * day
    const cost = 10n ** 6n
    const { evenAt } = accrual({ now, payout: 4n * 10n ** 6n }, { ...position, cost })
    expect(evenAt).toBe(openedAt + 6 * day)
  })

  test('behavior: from the expiry on, nothing is projected', () => {
    const { past, future, evenAt } = accrual({ now: expiry + 9, payout: 5n })
    expect([past.at(-1), future, evenAt]).toEqual([{ at: expiry, payout: 5n, cost: 20_000_000_001n }, [], null])
  })

  test('behavior: a term of a million years has about as many points as one of three', () => {
    const { future } = accrual({}, { ...position, expiry: openedAt + 1_000_000 * 365 * day })
    expect(future.length).toBeLessThan(1_010)
  })
})
