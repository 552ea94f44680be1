import { expect, test } from '@jest/globals'
import { spellEnglish } from './spellEnglish.ts'

test.each([
  ['0', 'zero'],
  ['7', 'seven'],
  ['13', 'thirteen'],
  ['20', 'twenty'],
  ['42', 'forty-two'],
  ['100', 'one hundred'],
  ['250', 'two hundred fifty'],
  ['999', 'nine hundred ninety-nine'],
  ['1000', 'one thousand'],
  ['250000', 'two hundred fifty thousand'],
  ['1000001', 'one million one'],
  ['12034005', 'twelve million thirty-four thousand five'],
  [`1${'0'.repeat(21)}`, 'one sextillion'],
  ['0001', 'one'],
])('default: %s is %s', (whole, words) => {
  expect(spellEnglish(whole)).toBe(words)
})

test('behavior: there are no words from 10^24 upwards', () => {
  expect(spellEnglish('9'.repeat(24))).toMatch(/^nine hundred ninety-nine sextillion .* nine hundred ninety-nine$/)
  expect(spellEnglish(`1${'0'.repeat(24)}`)).toBeNull()
})
