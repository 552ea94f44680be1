import { expect, test } from '@jest/globals'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { createMessageQueue } from './messageQueue.ts'

test('default: handles messages in the order of arrival, in a later turn', async () => {
  const log: string[] = []
  const queue = createMessageQueue()
  queue.add(() => {
    log.push('a')
    // A new message waits for the earlier ones.
    queue.add(() => log.push('c'))
  })
  queue.add(() => log.push('b'))
  expect(log).toEqual([])
  await yieldToEventLoop()
  expect(log).toEqual(['a', 'b', 'c'])
  queue.add(() => log.push('d'))
  await yieldToEventLoop()
  expect(log).toEqual(['a', 'b', 'c', 'd'])
})

test('behavior: the event loop runs between the slices', async () => {
  const log: number[] = []
  const queue = createMessageQueue()
  const all = Array.from({ length: 100 }, (_, index) => index)
  for (const index of all) queue.add(() => log.push(index))
  await yieldToEventLoop()
  const first = log.length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(50)
  await yieldToEventLoop()
  expect(log.length).toBeGreaterThan(first)
  while (log.length < all.length) await yieldToEventLoop()
  expect(log).toEqual(all)
})

test('behavior: at its maximum length it handles the oldest message for each that is added', async () => {
  const log: number[] = []
  const queue = createMessageQueue()
  const all = Array.from({ length: 10_000 }, (_, index) => index)
  for (const index of all) queue.add(() => log.push(index))
  expect(all.length - log.length).toBe(4_096)
  while (log.length < all.length) await yieldToEventLoop()
  expect(log).toEqual(all)
})
