import { describe, expect, test } from '@jest/globals'
import { figureOf, ratioOf } from './figureOf.ts'

describe('figureOf', () => {
  test('default: the median and the spread, whatever the order', () => {
    expect(figureOf([30, 1, 5])).toEqual({ median: 5, low: 1, high: 30 })
    expect(figureOf([7])).toEqual({ median: 7, low: 7, high: 7 })
  })
  test('behavior: an even count has the mean of the middle two', () => {
    expect(figureOf([4, 1, 2, 100]).median).toBe(3)
  })
  test.each([[[]], [[1, Number.NaN]], [[1, Number.POSITIVE_INFINITY]]])('error: %j is no measurement', (values) => {
    expect(() => figureOf(values)).toThrow(TypeError)
  })
})

describe('ratioOf', () => {
  test('default: rounds are compared with one another, not medians', () => {
    expect(ratioOf([10, 40, 90], [10, 20, 30])).toEqual({ median: 2, low: 1, high: 3 })
  })
  test('error: a round of one side only', () => {
    expect(() => ratioOf([1, 2], [1])).toThrow(TypeError)
  })
})
