import { expect, test } from '@jest/globals'
import { readSize } from './readSize.ts'

test.each([
  ['250,000', 250_000_000_000n],
  ['250000.5', 250_000_500_000n],
  [' 1 ', 1_000_000n],
])('default: "%s"', (text, size) => {
  expect(readSize(text, 6)).toEqual({ size })
})

test.each(['', '0', '-5', '25,00', '1.1234567', 'much', '1e9'])('error: "%s" is refused in a sentence', (text) => {
  expect(readSize(text, 6)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) })
})
