import { describe, expect, test } from '@jest/globals'
import { isLargeFill } from './largeFill.ts'

describe('isLargeFill', () => {
  test('default: from a 100,000th of the cap on', () => {
    expect(isLargeFill({ notional: 10n, cap: 1_000_000n })).toBe(true)
    expect(isLargeFill({ notional: 9n, cap: 1_000_000n })).toBe(false)
    // The share is compared exactly, not rounded down.
    expect(isLargeFill({ notional: 10n, cap: 1_000_001n })).toBe(false)
    expect(isLargeFill({ notional: 11n, cap: 1_000_001n })).toBe(true)
  })

  test('behavior: without a cap any fill is large but an empty one', () => {
    expect(isLargeFill({ notional: 1n, cap: 0n })).toBe(true)
    expect(isLargeFill({ notional: 0n, cap: 0n })).toBe(false)
    expect(isLargeFill({ notional: 0n, cap: 1_000_000n })).toBe(false)
  })
})
