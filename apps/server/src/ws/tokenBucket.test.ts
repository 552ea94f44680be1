import { createFakeClock } from '@firmquote/testing/fakeClock'
import { expect, test } from '@jest/globals'
import { createTokenBucket } from './tokenBucket.ts'

function countTaken(takeToken: () => boolean, attempts: number): number {
  let taken = 0
  for (let attempt = 0; attempt < attempts; attempt += 1) if (takeToken()) taken += 1
  return taken
}

test('default: a burst, then as many as time refills', () => {
  const clock = createFakeClock()
  const takeToken = createTokenBucket(clock, { messages: 200, periodMs: 10_000 })
  expect(countTaken(takeToken, 300)).toBe(200)
  clock.advance(1_000)
  expect(countTaken(takeToken, 300)).toBe(20)
  clock.advance(60_000)
  expect(countTaken(takeToken, 300)).toBe(200)
})

test('behavior: a jump of the wall clock refills nothing', () => {
  const clock = createFakeClock()
  const takeToken = createTokenBucket(clock, { messages: 2, periodMs: 1_000 })
  expect(countTaken(takeToken, 3)).toBe(2)
  clock.jump(3_600_000)
  expect(takeToken()).toBe(false)
  clock.jump(-7_200_000)
  clock.advance(500)
  expect(countTaken(takeToken, 3)).toBe(1)
})
