import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { followServerClock, rules, serverNow } from './serverClock.ts'

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  jest.useRealTimers()
})

const ruling = { sentAt: 1_000, tookMs: 20 }

test('default: the fastest response sets the clock', () => {
  expect(rules({ sentAt: 1_000, tookMs: 900 }, null)).toBe(true)
  expect(rules({ sentAt: 6_000, tookMs: 20 }, ruling)).toBe(true)
  expect(rules({ sentAt: 6_000, tookMs: 21 }, ruling)).toBe(false)
})

test('behavior: a reading expires, because the machine’s clock may have been changed', () => {
  expect(rules({ sentAt: 61_000, tookMs: 900 }, ruling)).toBe(false)
  expect(rules({ sentAt: 61_001, tookMs: 900 }, ruling)).toBe(true)
})

test('behavior: uses the server’s time halfway through the fastest request', async () => {
  const answerAfter = (tookMs: number, serverTime?: number) => {
    const answer = serverTime === undefined ? {} : { serverTime }
    return followServerClock(async () => {
      jest.advanceTimersByTime(tookMs)
      return answer
    })
  }
  await answerAfter(200, 5_000_000)
  expect(serverNow()).toBe(5_000_100)
  await answerAfter(300, 9_000_000)
  expect(serverNow()).toBe(5_000_400)
  await answerAfter(100)
  expect(serverNow()).toBe(5_000_500)
  await answerAfter(100, 7_000_000)
  expect(serverNow()).toBe(7_000_050)
})
