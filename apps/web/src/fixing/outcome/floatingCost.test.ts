import { expect, test } from '@jest/globals'
import { floatingCost } from './floatingCost.ts'

test('default', () => {
  // The rate is 0.0000001 % per second for 100 seconds.
  expect(floatingCost(250_000_000_000n, 10n ** 9n, 100)).toBe(25_000n)
})

test('behavior: rounded down, and nothing for no time', () => {
  expect(floatingCost(999_999n, 10n ** 9n, 999)).toBe(0n)
  expect(floatingCost(250_000_000_000n, 10n ** 9n, 0)).toBe(0n)
})
