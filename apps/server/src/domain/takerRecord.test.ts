import { expect, test } from '@jest/globals'
import { zeroAddress, zeroHash } from 'viem'
import { maxCounted, takerRecord } from './takerRecord.ts'

const owed = (debt: bigint, fixed = 0n) => ({ taker: zeroAddress, poolId: zeroHash, debt, fixed })
const none = { asked: 0, taken: 0 }

test('default: the unfixed debt and the counts, in steps', () => {
  expect(takerRecord(owed(1_234_567n, 34_568n), { asked: 7, taken: 3 })).toEqual({
    unfixedDebt: 1_000_000n,
    asked: 6,
    taken: 2,
  })
})

test.each([
  [0n, 0n],
  [1n, 1n],
  [2n, 2n],
  [4n, 2n],
  [5n, 5n],
  [9n, 5n],
  [10n, 10n],
  [19n, 10n],
  [20n, 20n],
  [49n, 20n],
  [50n, 50n],
  [99n, 50n],
  [100n, 100n],
  [2n ** 256n - 1n, 10n ** 77n],
])('behavior: a debt of %s is shown as %s', (debt, told) => {
  expect(takerRecord(owed(debt), none).unfixedDebt).toBe(told)
  expect(takerRecord(owed(debt + 7n, 7n), none).unfixedDebt).toBe(told)
})

test('behavior: a taker that has fixed more than it owes has no unfixed debt', () => {
  expect(takerRecord(owed(5n, 6n), none).unfixedDebt).toBe(0n)
})

test('behavior: counts are shown as the lower bounds of their steps', () => {
  const counts = [0, 1, 2, 5, 6, 20, 21, 1_000]
  const told = [0, 1, 2, 2, 6, 6, 21, 21]
  expect(counts.map((count) => takerRecord(owed(1n), { asked: count, taken: 0 }).asked)).toEqual(told)
  expect(counts.map((count) => takerRecord(owed(1n), { asked: 0, taken: count }).taken)).toEqual(told)
  expect(takerRecord(owed(1n), { asked: maxCounted - 1, taken: maxCounted })).toMatchObject({ asked: 6, taken: 21 })
})
