import { expect, test } from '@jest/globals'
import { spellGerman } from './spellGerman.ts'

test.each([
  ['0', 'null'],
  ['1', 'eins'],
  ['7', 'sieben'],
  ['16', 'sechzehn'],
  ['20', 'zwanzig'],
  ['21', 'einundzwanzig'],
  ['42', 'zweiundvierzig'],
  ['100', 'einhundert'],
  ['101', 'einhunderteins'],
  ['250', 'zweihundertfünfzig'],
  ['999', 'neunhundertneunundneunzig'],
  ['1000', 'eintausend'],
  ['101001', 'einhunderteintausendeins'],
  ['250000', 'zweihundertfünfzigtausend'],
  ['1000001', 'eine Million eins'],
  ['1200000', 'eine Million zweihunderttausend'],
  ['3000000', 'drei Millionen'],
  ['101000000', 'einhunderteins Millionen'],
  ['1002000000', 'eine Milliarde zwei Millionen'],
  [`1${'0'.repeat(21)}`, 'eine Trilliarde'],
  ['0001', 'eins'],
])('default: %s is %s', (whole, words) => {
  expect(spellGerman(whole)).toBe(words)
})

test('behavior: there are no words from 10^24 upwards', () => {
  expect(spellGerman('9'.repeat(24))).toMatch(
    /^neunhundertneunundneunzig Trilliarden .* neunhundertneunundneunzigtausendneunhundertneunundneunzig$/,
  )
  expect(spellGerman(`1${'0'.repeat(24)}`)).toBeNull()
})
