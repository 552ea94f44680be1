import { expect, test } from '@jest/globals'
import { parseSize, rescale } from './parseSize.ts'

test.each([
  ['250,000', 250_000_000_000n],
  ['250000.5', 250_000_500_000n],
  [' 1 ', 1_000_000n],
])('default: "%s"', (text, size) => {
  expect(parseSize(text, 6)).toEqual({ size })
})

test.each(['', '0', '-5', '25,00', '1.1234567', 'much', '1e9'])('error: "%s" is refused in a sentence', (text) => {
  expect(parseSize(text, 6)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) })
})

test('behavior: an amount stays the same with other decimals, and never becomes nothing', () => {
  expect(rescale(250_000_000n, 6, 18)).toBe(250n * 10n ** 18n)
  expect(rescale(250n * 10n ** 18n, 18, 6)).toBe(250_000_000n)
  expect(rescale(1n, 18, 6)).toBe(1n)
})
