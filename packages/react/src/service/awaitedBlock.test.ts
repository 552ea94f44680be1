import { expect, test } from '@jest/globals'
import { awaitBlock, refetchAfter } from './awaitedBlock.ts'

test('default: polls every second until the service has the block', () => {
  // Later than the other test's deadline.
  const now = 1_000_000
  expect(refetchAfter(6, 30_000, now)).toBe(30_000)
  awaitBlock(7n, now)
  expect([undefined, 6, 7, 8].map((known) => refetchAfter(known, 30_000, now))).toEqual([30_000, 1_000, 30_000, 30_000])
})

test('error: returns to the idle interval after half a minute without the block', () => {
  awaitBlock(7n, 1_000)
  expect([30_999, 31_000].map((now) => refetchAfter(6, 30_000, now))).toEqual([1_000, 30_000])
})
