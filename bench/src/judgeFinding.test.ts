import { describe, expect, test } from '@jest/globals'
import { formatFigure, formatGoal, judgeFinding } from './judgeFinding.ts'

const figure = (median: number) => ({ median, low: median - 1, high: median + 1 })

describe('judgeFinding', () => {
  test.each([
    [24, { least: 24 }, 'holds'],
    [23.999, { least: 24 }, 'falls short'],
    [10, { most: 10 }, 'holds'],
    [10.001, { most: 10 }, 'falls short'],
    [1, undefined, 'reported'],
  ] as const)('default: %d against %j %s', (median, goal, verdict) => {
    expect(judgeFinding({ figure: figure(median), ...(goal && { goal }) })).toBe(verdict)
  })
  test('error: what is no number never holds', () => {
    for (const goal of [{ least: 0 }, { most: 1 }]) {
      expect(judgeFinding({ figure: figure(Number.NaN), goal })).toBe('falls short')
    }
  })
})

test('default: figures and goals in their units', () => {
  expect(formatFigure({ median: 25.44, low: 9.123, high: 126.4 }, 'x')).toBe('25.4x (9.12 to 126)')
  expect(formatFigure({ median: 1, low: 1, high: 2 }, 'requests')).toBe('1 requests (1 to 2)')
  expect(formatGoal({ goal: { least: 24 }, unit: 'x' })).toBe('>= 24x')
  expect(formatGoal({ goal: { most: 10 }, unit: 'ms' })).toBe('<= 10 ms')
  expect(formatGoal({ unit: 'ms' })).toBe('')
})
