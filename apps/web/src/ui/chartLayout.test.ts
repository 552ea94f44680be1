import { describe, expect, test } from '@jest/globals'
import { apart, dayStarts, fitRates, monthStarts, pieces, pointAt } from './chartLayout.ts'

const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

describe('fitRates', () => {
  test('default: all of them, with air', () => {
    const [low, high] = fitRates([4, 8])
    expect([low, high]).toEqual([3.4, 8.6])
  })

  test('behavior: at least a whole percent, and never below nothing', () => {
    expect(fitRates([6])).toEqual([5.5, 6.5])
    expect(fitRates([0.1])).toEqual([0, 1])
  })
})

describe('pieces', () => {
  const point = (at: number) => ({ at, percent: 5 })

  test('default: a line ends where the next point is too far off', () => {
    expect(pieces([0, 10, 20, 31, 40].map(point), 10)).toEqual([[0, 10, 20].map(point), [31, 40].map(point)])
    expect(pieces([], 10)).toEqual([])
  })
})

describe('monthStarts', () => {
  test('default: every first day, both ends included', () => {
    expect(monthStarts(at('2026-11-01'), at('2027-01-01'), 12)).toEqual(
      ['2026-11-01', '2026-12-01', '2027-01-01'].map(at),
    )
    expect(monthStarts(at('2026-11-02'), at('2026-11-30'), 12)).toEqual([])
  })

  test('behavior: of many only as many as have room', () => {
    expect(monthStarts(at('2026-01-01'), at('2026-12-31'), 4)).toEqual(
      ['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'].map(at),
    )
  })
})

describe('apart', () => {
  test('default: labels that lie over each other move, both by as much, and keep their order', () => {
    expect(apart(100, 110, 20)).toEqual([95, 115])
    expect(apart(110, 100, 20)).toEqual([115, 95])
    expect(apart(100, 120, 20)).toEqual([100, 120])
  })
})

describe('pointAt', () => {
  const points = [0, 10, 40].map((at) => ({ at, percent: at }))

  test('default: the nearest', () => {
    expect(pointAt(points, 4, 10)?.at).toBe(0)
    expect(pointAt(points, 6, 10)?.at).toBe(10)
  })

  test('behavior: within a gap there is none', () => {
    expect(pointAt(points, 15, 10)?.at).toBe(10)
    expect(pointAt(points, 16, 10)).toBeNull()
    expect(pointAt([], 0, 10)).toBeNull()
  })
})

describe('dayStarts', () => {
  test('default: every day, both ends included', () => {
    expect(dayStarts(at('2026-11-20'), at('2026-11-22'), 3)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'].map(at))
    expect(dayStarts(at('2026-11-20') + 1, at('2026-11-21') - 1, 3)).toEqual([])
  })

  test('behavior: of many only as many as have room, back from the last one', () => {
    expect(dayStarts(at('2026-11-01'), at('2026-11-30'), 5)).toEqual(
      ['2026-11-06', '2026-11-12', '2026-11-18', '2026-11-24', '2026-11-30'].map(at),
    )
  })
})
