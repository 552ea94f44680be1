import { describe, expect, test } from '@jest/globals'
import { figureOf, percentilesOf, ratioOf } from './figures.ts'

describe('figureOf', () => {
  test('default: returns the median and the spread, regardless of order', () => {
    expect(figureOf([30, 1, 5])).toEqual({ median: 5, low: 1, high: 30 })
    expect(figureOf([4, 1, 2, 100]).median).toBe(3)
  })
  test.each([[[]], [[1, Number.NaN]], [[1, Number.POSITIVE_INFINITY]]])(
    'error: %j is not a valid measurement',
    (values) => {
      expect(() => figureOf(values)).toThrow(TypeError)
    },
  )
})

test('ratioOf: divides rounds, not medians', () => {
  const note = '40 against 20 ms'
  expect(ratioOf([10, 40, 90], [10, 20, 30], 'ms')).toEqual({ median: 2, low: 1, high: 3, note })
  expect(() => ratioOf([1, 2], [1], 'ms')).toThrow(TypeError)
})

test('percentilesOf: does not reorder its samples, and returns NaN without samples', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentilesOf(samples)).toMatchObject({ count: 100, max: 100 })
  expect(percentilesOf(samples).p99).toBeCloseTo(99, -0.5)
  expect(samples[0]).toBe(100)
  expect(percentilesOf([])).toEqual({ count: 0, p50: Number.NaN, p95: Number.NaN, p99: Number.NaN, max: Number.NaN })
})
