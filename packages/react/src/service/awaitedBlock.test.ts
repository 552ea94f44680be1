import { expect, test } from '@jest/globals'
import { awaitBlock, refetchAfter } from './awaitedBlock.ts'

test('default: asked every second until the service knows the block', () => {
  // Long after the time that the other test awaits.
  const now = 1_000_000
  expect(refetchAfter(6, 30_000, now)).toBe(30_000)
  awaitBlock(7n, now)
  expect([undefined, 6, 7, 8].map((known) => refetchAfter(known, 30_000, now))).toEqual([30_000, 1_000, 30_000, 30_000])
})

test('error: a service that never comes to know it is asked as before after half a minute', () => {
  awaitBlock(7n, 1_000)
  expect([30_999, 31_000].map((now) => refetchAfter(6, 30_000, now))).toEqual([1_000, 30_000])
})
