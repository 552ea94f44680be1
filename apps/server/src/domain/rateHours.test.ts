import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { hourOf, nextBlockToAsk, type TimedBlock } from './rateHours.ts'

test('hourOf: the full hour before, or the hour itself', () => {
  expect([7_199, 7_200, 7_201, 0].map(hourOf)).toEqual([3_600, 7_200, 7_200, 0])
  expect(hourOf(10_799n)).toBe(7_200)
})

describe('nextBlockToAsk', () => {
  /** Searches a chain, given as its blocks' timestamps. */
  const search = (times: readonly number[], time: number, spacing: number) => {
    const block = (number: number): TimedBlock => ({ number: BigInt(number), timestamp: BigInt(times[number] ?? 0) })
    let [low, high]: [TimedBlock | null, TimedBlock] = [null, block(times.length - 1)]
    for (let asked = 0; ; asked += 1) {
      const number = nextBlockToAsk(time, { low, high, spacing, asked })
      if (number === null) return { first: Number(high.number), asked }
      const found = block(Number(number))
      if (Number(found.timestamp) >= time) high = found
      else low = found
    }
  }

  test('behavior: a chain with a block every two seconds takes two reads, or three between two blocks', () => {
    const times = Array.from({ length: 100_000 }, (_, index) => 1_000 + index * 2)
    expect(search(times, 1_000 + 90_000 * 2, 2)).toEqual({ first: 90_000, asked: 2 })
    expect(search(times, 999 + 90_000 * 2, 2)).toEqual({ first: 90_000, asked: 3 })
    expect(search(times, 1_001 + 90_000 * 2, 2)).toEqual({ first: 90_001, asked: 3 })
  })

  test('behavior: finds the first block at or after a time on any chain, in logarithmically many reads', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(3), fc.nat(100_000)), { minLength: 1, maxLength: 300 }),
        fc.double({ min: 0.001, max: 10_000, noNaN: true }),
        fc.nat(),
        (gaps, spacing, choice) => {
          let at = 1_000
          const times = gaps.map((gap) => (at += gap))
          const time = choice % ((times.at(-1) ?? 0) + 1)
          const { first, asked } = search(times, time, spacing)
          expect(first).toBe(times.findIndex((one) => one >= time))
          expect(asked).toBeLessThanOrEqual(3 * 10)
        },
      ),
    )
  })
})
