import { describe, expect, test } from '@jest/globals'
import { countAnswers, isExpected, noAnswers, withRfq } from './answerRecord.ts'

/** The record after these RFQs, oldest first: `+` was answered, `-` was not. */
const recordOf = (rfqs: string) => [...rfqs].reduce((record, rfq) => withRfq(record, rfq === '+'), noAnswers)

describe('isExpected', () => {
  test.each(['+', '+-', '-+', '++--', `${'+'.repeat(10)}${'-'.repeat(10)}`])('default: at least half: %s', (rfqs) => {
    expect(isExpected(recordOf(rfqs))).toBe(true)
  })

  test.each(['', '-', '+--', '-+-', `${'+'.repeat(9)}${'-'.repeat(11)}`])('behavior: less than half: %j', (rfqs) => {
    expect(isExpected(recordOf(rfqs))).toBe(false)
  })

  test('behavior: only the last 20 RFQs count', () => {
    expect(isExpected(recordOf(`${'-'.repeat(50)}${'+'.repeat(10)}`))).toBe(true)
    expect(isExpected(recordOf(`${'+'.repeat(50)}${'-'.repeat(10)}`))).toBe(true)
    expect(isExpected(recordOf(`${'+'.repeat(50)}${'-'.repeat(11)}`))).toBe(false)
    expect(recordOf('+'.repeat(1_000))).toEqual(recordOf('+'.repeat(20)))
  })
})

describe('countAnswers', () => {
  test('default', () => {
    expect(countAnswers(new Set(['a', 'b', 'c']), new Set(['a']), 53)).toEqual({
      answered: 1,
      expected: 3,
      backers: 53,
    })
  })

  test('behavior: an unexpected answer counts on both sides', () => {
    expect(countAnswers(new Set(['a']), new Set(['b']), 53)).toEqual({ answered: 1, expected: 2, backers: 53 })
  })

  test('behavior: there are at least as many backers as expected makers', () => {
    expect(countAnswers(new Set(['a', 'b']), new Set(['c']), 2)).toEqual({ answered: 1, expected: 3, backers: 3 })
  })

  test('behavior: without expected makers, nothing is known', () => {
    expect(countAnswers(new Set(), new Set(['a']), 53)).toBeNull()
  })
})
