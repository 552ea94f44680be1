import { expect, test } from '@jest/globals'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { createBroadcasts } from './broadcasts.ts'

/** Sessions that record received messages in a shared log. */
function createSessions(count: number) {
  const log: string[] = []
  const recipients = Array.from({ length: count }, (_, index) => ({
    address: '0x1111111111111111111111111111111111111111' as const,
    send: (frame: string) => log.push(`${frame}${index}`),
  }))
  return { log, toAll: (frame: string) => ({ frame, recipients }) }
}

test('default: a few recipients get it synchronously', async () => {
  const { log, toAll } = createSessions(2)
  const broadcasts = createBroadcasts()
  broadcasts.send(toAll('a'))
  broadcasts.send(toAll('b'))
  expect(log).toEqual(['a0', 'a1', 'b0', 'b1'])
  await broadcasts.flushed()
})

test('behavior: the event loop runs between slices, and messages stay in order', async () => {
  const { log, toAll } = createSessions(1_000)
  const broadcasts = createBroadcasts()
  broadcasts.send(toAll('a'))
  broadcasts.send({ frame: 'without recipients', recipients: [] })
  broadcasts.send(toAll('b'))
  const first = log.length
  expect(first).toBeLessThan(1_000)
  await yieldToEventLoop()
  expect(log.length).toBeGreaterThan(first)
  expect(log.length).toBeLessThan(2_000)
  await broadcasts.flushed()
  expect(log).toEqual(['a', 'b'].flatMap((frame) => Array.from({ length: 1_000 }, (_, index) => `${frame}${index}`)))
  expect(await broadcasts.flushed()).toBeUndefined()
})

test('behavior: many messages to a few recipients are sliced like one message to many', async () => {
  const { log, toAll } = createSessions(2)
  const broadcasts = createBroadcasts()
  for (let index = 0; index < 500; index += 1) broadcasts.send(toAll(`${index}.`))
  const first = log.length
  expect(first).toBeLessThan(1_000)
  await yieldToEventLoop()
  expect(log.length).toBeGreaterThan(first)
  expect(log.length).toBeLessThan(1_000)
  await broadcasts.flushed()
  expect(log).toEqual(Array.from({ length: 500 }, (_, index) => [`${index}.0`, `${index}.1`]).flat())
})
