import { expect, test } from '@jest/globals'
import { isLargeFill, provesFor } from './fills.ts'

test.each([
  ['a 100,000th of the cap', 10n, 1_000_000n, true],
  ['less than that', 9n, 1_000_000n, false],
  ['a unit less of the cap', 10n, 1_000_001n, false],
  ['anything where the cap is zero', 1n, 0n, true],
  ['nothing', 0n, 0n, false],
])('isLargeFill: a fill of %s', (_what, notional, cap, expected) => {
  expect(isLargeFill({ notional, cap })).toBe(expected)
})

test.each([
  ['a tenth of it', 100n, true],
  ['one unit less', 99n, false],
  ['more than it', 2_000n, true],
])('provesFor: a quote of 1,000 after a fill of %s', (_what, fill, expected) => {
  expect(provesFor(fill, 1_000n)).toBe(expected)
})

test('provesFor: without a fill, not even an empty quote is proven', () => {
  expect(provesFor(0n, 0n)).toBe(false)
})
