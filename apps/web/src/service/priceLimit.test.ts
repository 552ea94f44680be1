import { describe, expect, test } from '@jest/globals'
import { defaultMaxApy, linkedLimit, priceLimitOf } from './priceLimit.ts'

const now = 1_800_000_000
const auction = { notional: 1_000_000n, expiry: now + 31_536_000, openedAt: now * 1000 }
const pool = { floating: { ratePerSec: 1n, apr: 6.25, apy: 6.45 } }

describe('priceLimitOf', () => {
  test('default: five points above the floating rate, for the term of the auction', () => {
    expect(defaultMaxApy(pool)).toBeCloseTo(11.45, 12)
    expect(priceLimitOf(auction, pool)).toBe(102_736n)
    expect(priceLimitOf({ ...auction, expiry: now + 15_768_000 }, pool)).toBe(52_760n)
  })

  test("behavior: the visitor's own limit counts, whatever the floating rate is", () => {
    expect(priceLimitOf({ ...auction, maxVrtAmount: 5n }, pool)).toBe(5n)
  })
})

test("linkedLimit: a link's limit counts up to the default of a day ago", () => {
  const { notional, expiry } = auction
  const highest = priceLimitOf({ ...auction, openedAt: (now - 86_400) * 1000 }, pool)
  const read = (limit: bigint) => linkedLimit({ limit, notional, expiry }, pool, now)
  expect([read(5n), read(highest), read(highest + 1n)]).toEqual([5n, highest, undefined])
  expect(linkedLimit({ limit: 5n, notional }, pool, now)).toBeUndefined()
})
