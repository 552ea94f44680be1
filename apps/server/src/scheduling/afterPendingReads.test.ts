import { MessageChannel } from 'node:worker_threads'
import { systemClock } from '@firmquote/core/utils'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { afterPendingReads } from './eventLoop.ts'

test('default: calls back once, after the delay', () => {
  const clock = createFakeClock()
  let calls = 0
  afterPendingReads(clock, 100, () => {
    calls += 1
  })
  clock.advance(99)
  expect(calls).toBe(0)
  clock.advance(1)
  expect([calls, clock.pending()]).toEqual([1, 0])
})

test('behavior: in a busy process, input that has arrived is read first', async () => {
  const { port1, port2 } = new MessageChannel()
  const order: string[] = []
  port2.on('message', () => order.push('arrived'))
  const called = new Promise<void>((resolve) => {
    afterPendingReads(systemClock, 5, () => {
      order.push('called')
      resolve()
    })
  })
  // Blocks the thread before the message arrives and until the delay has passed.
  const until = performance.now() + 10
  port1.postMessage(null)
  while (performance.now() < until);
  await called
  port2.close()
  expect(order).toEqual(['arrived', 'called'])
})

test('behavior: can be cancelled before and after the delay', () => {
  const clock = createFakeClock()
  const later = { after: (ms: number, callback: () => void) => clock.after(Math.max(ms, 1), callback) }
  const callback = () => {
    throw new TypeError('It was cancelled.')
  }
  afterPendingReads(later, 100, callback)()
  const cancel = afterPendingReads(later, 100, callback)
  clock.advance(100)
  expect(clock.pending()).toBe(1)
  cancel()
  expect(clock.pending()).toBe(0)
})
