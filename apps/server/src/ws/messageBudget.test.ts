import { createFakeClock } from '@firmquote/testing/fakeClock'
import { expect, test } from '@jest/globals'
import { createMessageBudget } from './messageBudget.ts'

function passes(mayPass: () => boolean, times: number): number {
  let count = 0
  for (let index = 0; index < times; index += 1) if (mayPass()) count += 1
  return count
}

test('default: a burst, then as many as time refills', () => {
  const clock = createFakeClock()
  const mayPass = createMessageBudget(clock, { messages: 200, periodMs: 10_000 })
  expect(passes(mayPass, 300)).toBe(200)
  clock.advance(1_000)
  expect(passes(mayPass, 300)).toBe(20)
  clock.advance(60_000)
  expect(passes(mayPass, 300)).toBe(200)
})

test('behavior: a wall clock that jumps refills nothing', () => {
  const clock = createFakeClock()
  const mayPass = createMessageBudget(clock, { messages: 2, periodMs: 1_000 })
  expect(passes(mayPass, 3)).toBe(2)
  clock.jump(3_600_000)
  expect(mayPass()).toBe(false)
  clock.jump(-7_200_000)
  clock.advance(500)
  expect(passes(mayPass, 3)).toBe(1)
})
