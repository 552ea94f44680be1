import { expect, test } from '@jest/globals'
import { createBroadcasts } from './broadcasts.ts'

/** Sessions that write down what they get, in one list for all. */
function createSessions(count: number) {
  const log: string[] = []
  const sessions = Array.from({ length: count }, (_, index) => ({
    address: '0x1111111111111111111111111111111111111111' as const,
    send: (frame: string) => log.push(`${frame}${index}`),
  }))
  return { log, letter: (frame: string) => ({ frame, to: sessions }) }
}

test('default: a few are told at once', async () => {
  const { log, letter } = createSessions(2)
  const broadcasts = createBroadcasts()
  broadcasts.send(letter('a'))
  broadcasts.send(letter('b'))
  expect(log).toEqual(['a0', 'a1', 'b0', 'b1'])
  await broadcasts.done()
})

test('behavior: between the slices of many the event loop turns, and the order of the messages is kept', async () => {
  const { log, letter } = createSessions(1_000)
  const broadcasts = createBroadcasts()
  broadcasts.send(letter('a'))
  broadcasts.send({ frame: 'nobody', to: [] })
  broadcasts.send(letter('b'))
  const first = log.length
  expect(first).toBeLessThan(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(log.length).toBeGreaterThan(first)
  expect(log.length).toBeLessThan(2_000)
  await broadcasts.done()
  expect(log).toEqual(['a', 'b'].flatMap((frame) => Array.from({ length: 1_000 }, (_, index) => `${frame}${index}`)))
  expect(await broadcasts.done()).toBeUndefined()
})

test('behavior: many messages to a few are as much work as one to many', async () => {
  const { log, letter } = createSessions(2)
  const broadcasts = createBroadcasts()
  for (let index = 0; index < 500; index += 1) broadcasts.send(letter(`${index}.`))
  const first = log.length
  expect(first).toBeLessThan(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(log.length).toBeGreaterThan(first)
  expect(log.length).toBeLessThan(1_000)
  await broadcasts.done()
  expect(log).toEqual(Array.from({ length: 500 }, (_, index) => [`${index}.0`, `${index}.1`]).flat())
})
