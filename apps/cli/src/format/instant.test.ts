import { InvalidInputError } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseInstant } from './instant.ts'

describe('parseInstant', () => {
  test.each([
    ['2027-03-01', 1_803_859_200],
    ['1803859200', 1_803_859_200],
    ['2027-03-01T00:00Z', 1_803_859_200],
    ['2027-03-01T01:00:00+01:00', 1_803_859_200],
    ['2028-02-29', 1_835_395_200],
  ])('default: %s', (text, seconds) => {
    expect(parseInstant(text)).toBe(seconds)
  })

  test.each([
    ['2027-02-29', 'The day 2027-02-29'],
    ['2027-02-30T00:00Z', 'The day 2027-02-30'],
    ['2027-13-01', 'The day'],
    ['1969-12-31', 'before 1970'],
    ['1803859200000', 'seconds, not milliseconds'],
    ['2027-03-01T00:00', 'is not a date'],
    ['2027-03-01T25:00Z', 'is not a date'],
    ['01.03.2027', 'is not a date'],
    ['tomorrow', 'is not a date'],
    ['-1', 'is not a date'],
    ['1e9', 'is not a date'],
    ['', 'is not a date'],
  ])('error: %j', (text, sentence) => {
    expect(() => parseInstant(text)).toThrow(InvalidInputError)
    expect(() => parseInstant(text)).toThrow(sentence)
  })

  test('behavior: the ISO form of any second parses to that second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 253_402_300_799 }), (seconds) => {
        expect(parseInstant(new Date(seconds * 1000).toISOString().replace('.000', ''))).toBe(seconds)
        expect(parseInstant(String(seconds))).toBe(seconds)
      }),
    )
  })
})
