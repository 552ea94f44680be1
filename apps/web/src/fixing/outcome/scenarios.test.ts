import { describe, expect, test } from '@jest/globals'
import { readingsAbove, scenarioRates } from './scenarios.ts'

describe('scenarioRates', () => {
  test.each([
    [4, [4, 6, 8, 10]],
    [6.25, [4, 6, 8, 10]],
    [10, [4, 6, 8, 10]],
    [0, [0.5, 1, 1.5, 2]],
    [1, [0.5, 1, 1.5, 2]],
    [3.9, [2, 3, 4, 5]],
    [10.01, [8, 10, 12, 14]],
    [30, [20, 30, 40, 50]],
    [1_000, [800, 1_000, 1_200, 1_400]],
    [1_000.01, []],
  ])('default: around %d %%', (today, rates) => {
    expect(scenarioRates(today)).toEqual(rates)
  })

  test("behavior: today's rate is between the first and the last of four different rates", () => {
    for (let today = 0.5; today < 1_000; today *= 1.013) {
      const [first = 0, ...others] = scenarioRates(today)
      expect(new Set([first, ...others]).size).toBe(4)
      expect([first > 0, first <= today, Math.max(...others) >= today]).toEqual([true, true, true])
    }
  })
})

describe('readingsAbove', () => {
  const readings = (...aprs: number[]) => aprs.map((apr, at) => ({ at, apr, ratePerSec: 0n, block: 1 }))

  test('default: counts the days whose variable APY was above the fixed rate', () => {
    // 6 % APR is 6.18 % APY.
    const history = { floating: readings(6, 5, 6, 9), step: 86_400 }
    expect(readingsAbove(history, 6.1)).toEqual({ above: 3, known: 4, days: 4 })
    expect(readingsAbove(history, 6.2)).toEqual({ above: 1, known: 4, days: 4 })
  })

  test('behavior: an equal rate is not above, and hourly readings cover fewer days', () => {
    expect(readingsAbove({ floating: readings(0), step: 3_600 }, 0)).toEqual({ above: 0, known: 1, days: 1 })
    expect(readingsAbove({ floating: readings(...Array(25).fill(1)), step: 3_600 }, 0)).toMatchObject({ days: 2 })
    expect(readingsAbove({ floating: [], step: 3_600 }, 5)).toEqual({ above: 0, known: 0, days: 0 })
  })
})
