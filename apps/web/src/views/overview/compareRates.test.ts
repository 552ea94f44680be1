import { expect, test } from '@jest/globals'
import { compareRates } from './compareRates.ts'

test('default', () => {
  expect(compareRates(6.54, 6.25)).toBe('0.29 points above floating')
  expect(compareRates(5.63, 6.25)).toBe('0.62 points below floating')
})

test('behavior: agrees with the two figures as they are shown', () => {
  expect(compareRates(6.254, 6.246)).toBe('the same as floating')
  // 6.26 % and 6.25 %, although they are closer than that.
  expect(compareRates(6.2551, 6.2549)).toBe('0.01 points above floating')
})
