import { expect, test } from '@jest/globals'
import { isLargeFill } from './largeFill.ts'

test.each([
  ['a 100,000th of the cap', 10n, 1_000_000n, true],
  ['less than that', 9n, 1_000_000n, false],
  ['a unit less of the cap', 10n, 1_000_001n, false],
  ['anything where the cap is zero', 1n, 0n, true],
  ['nothing', 0n, 0n, false],
])('default: a fill of %s', (_what, notional, cap, expected) => {
  expect(isLargeFill({ notional, cap })).toBe(expected)
})
