import { expect, test } from '@jest/globals'
import { printable, table, timeSpan } from './format.ts'

test('default: a table with aligned columns and no trailing spaces', () => {
  expect(
    table([
      ['a', 'long', ''],
      ['bcd', 'e', 'f'],
    ]),
  ).toBe('a    long\nbcd  e     f')
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min 0 s'],
  [3_600, '1 h 0 min'],
  [93_784, '1 d 2 h'],
])('default: %d seconds', (seconds, text) => {
  expect(timeSpan(seconds)).toBe(text)
})

test('behavior: what a terminal would execute or hide is replaced, line breaks are not', () => {
  expect(printable('\u001b[2Ja\n\u202eb\u009bc\u{e0041}größer €')).toBe('\ufffd[2Ja\n\ufffdb\ufffdc\ufffdgrößer €')
})
