import { describe, expect, test } from '@jest/globals'
import { backOff, type FailedAttempt, pauseBeforeRetry, timeoutFor } from './retryPolicy.ts'

const failed: FailedAttempt = { fault: 'limited', earlier: 0, leftMs: 2_500, retryAfterMs: null, random: 0.5 }

describe('pauseBeforeRetry', () => {
  test('default: pauses grow from 20 ms to 250 ms, with half of each random', () => {
    const pauses = [0, 1, 2, 10].map((earlier) => pauseBeforeRetry({ ...failed, earlier }))
    expect(pauses).toEqual([20, 30, 45, 250])
    expect(pauseBeforeRetry({ ...failed, fault: 'missing', earlier: 10 })).toBe(60)
    expect([0, 1].map((random) => pauseBeforeRetry({ ...failed, random }))).toEqual([10, 30])
  })

  test('behavior: each kind of failure has its number of attempts', () => {
    for (const [fault, attempts] of [
      ['limited', 12],
      ['silent', 12],
      ['garbage', 12],
      ['missing', 20],
      ['internal', 2],
    ] as const) {
      expect(pauseBeforeRetry({ ...failed, fault, earlier: attempts - 2 })).not.toBeNull()
      expect(pauseBeforeRetry({ ...failed, fault, earlier: attempts - 1 })).toBeNull()
    }
  })

  test('behavior: Retry-After is waited for if it fits into the budget with time for an attempt', () => {
    expect(pauseBeforeRetry({ ...failed, retryAfterMs: 2_480 })).toBe(2_480)
    expect(pauseBeforeRetry({ ...failed, retryAfterMs: 2_481 })).toBeNull()
    expect(pauseBeforeRetry({ ...failed, retryAfterMs: 1 })).toBe(20)
  })
})

test('backOff: doubles from 250 ms to 5 s, with a quarter of jitter', () => {
  expect([1, 2, 5, 6, 50].map((rounds) => backOff(rounds, 0.5))).toEqual([250, 500, 4_000, 5_000, 5_000])
  expect([backOff(1, 0), backOff(1, 1)]).toEqual([187.5, 312.5])
})

test('timeoutFor: four times the 95th percentile, from 250 ms to the maximum, once five latencies are known', () => {
  const of = (...latencies: number[]) => timeoutFor(latencies, 2_000)
  expect(of(1, 1, 1, 1)).toBe(2_000)
  expect(of(1, 1, 1, 1, 1)).toBe(250)
  expect(of(1, 1, 1, 1, 100)).toBe(400)
  expect(of(1, 1, 1, 1, 600)).toBe(2_000)
  // One slow answer among twenty does not count.
  expect(of(...Array<number>(19).fill(100), 600)).toBe(400)
})
