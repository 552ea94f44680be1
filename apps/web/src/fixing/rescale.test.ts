import { expect, test } from '@jest/globals'
import { rescale } from './rescale.ts'

test('behavior: an amount stays the same with other decimals, and never becomes nothing', () => {
  expect(rescale(250_000_000n, 6, 18)).toBe(250n * 10n ** 18n)
  expect(rescale(250n * 10n ** 18n, 18, 6)).toBe(250_000_000n)
  expect(rescale(1n, 18, 6)).toBe(1n)
})
