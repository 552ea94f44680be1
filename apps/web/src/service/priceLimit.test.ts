import { describe, expect, test } from '@jest/globals'
import { defaultMaxApr, priceLimitOf } from './priceLimit.ts'

const now = 1_800_000_000
const auction = { notional: 1_000_000n, expiry: now + 31_536_000, openedAt: now * 1000 }
const pool = { floating: { ratePerSec: 1n, apr: 6.25, apy: 6.4 } }

describe('priceLimitOf', () => {
  test('default: five points above the floating rate, for the term of the auction', () => {
    expect(defaultMaxApr(pool)).toBe(11.25)
    expect(priceLimitOf(auction, pool)).toBe(112_500n)
    expect(priceLimitOf({ ...auction, expiry: now + 15_768_000 }, pool)).toBe(56_250n)
  })

  test("behavior: the visitor's own limit counts, whatever the floating rate is", () => {
    expect(priceLimitOf({ ...auction, maxVrtAmount: 5n }, pool)).toBe(5n)
  })
})
