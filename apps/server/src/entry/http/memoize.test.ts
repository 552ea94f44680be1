import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { cacheFor, memoizeAsync } from './memoize.ts'

test('default: concurrent callers share one call', async () => {
  let made = 0
  const value = memoizeAsync(async () => {
    made += 1
    return made
  })
  expect(made).toBe(0)
  expect(await Promise.all([value(), value()])).toEqual([1, 1])
  expect(await value()).toBe(1)
})

test('error: a failure rejects all waiting calls, and the next call retries', async () => {
  let tries = 0
  const value = memoizeAsync(async () => {
    tries += 1
    if (tries === 1) throw new TypeError('not yet')
    return tries
  })
  await expect(Promise.all([value(), value()])).rejects.toThrow('not yet')
  expect(await value()).toBe(2)
})

test('behavior: the value is recomputed when it expires, not before', async () => {
  const clock = createFakeClock()
  let made = 0
  const value = cacheFor(1_000, clock, async () => {
    made += 1
    return made
  })
  expect(await value()).toBe(1)
  clock.advance(999)
  expect(await value()).toBe(1)
  clock.advance(1)
  expect(await Promise.all([value(), value()])).toEqual([2, 2])
})
