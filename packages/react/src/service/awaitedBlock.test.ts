import { expect, test } from '@jest/globals'
import { askAgainIn, awaitBlock } from './awaitedBlock.ts'

test('default: asked every second until the service knows the block', () => {
  expect(askAgainIn(6, 30_000, 1_000)).toBe(30_000)
  awaitBlock(7n, 1_000)
  expect([undefined, 6, 7, 8].map((known) => askAgainIn(known, 30_000, 2_000))).toEqual([30_000, 1_000, 30_000, 30_000])
})

test('error: a service that never comes to know it is asked as before after half a minute', () => {
  awaitBlock(7n, 1_000)
  expect([30_999, 31_000].map((now) => askAgainIn(6, 30_000, now))).toEqual([1_000, 30_000])
})
