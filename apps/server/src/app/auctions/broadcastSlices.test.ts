import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, jest, test } from '@jest/globals'
import { maker } from '../../../test/storedQuotes.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { createBroadcasts } from './broadcasts.ts'

/** Creates recipients that share a count of received messages. */
function createRecipients() {
  const got = { count: 0 }
  const send = () => {
    got.count += 1
  }
  return { got, some: (count: number) => Array.from({ length: count }, () => ({ address: maker, send })) }
}

test('default: 256 sends per slice, filled from the next message', async () => {
  const { got, some } = createRecipients()
  const broadcasts = createBroadcasts()
  broadcasts.send({ frame: 'a', recipients: some(300) })
  broadcasts.send({ frame: 'b', recipients: some(100) })
  broadcasts.send({ frame: 'c', recipients: some(200) })
  expect(got.count).toBe(256)
  await yieldToEventLoop()
  expect(got.count).toBe(512)
  await yieldToEventLoop()
  expect(got.count).toBe(600)
})

test('behavior: an empty queue is flushed', async () => {
  let flushed = false
  void createBroadcasts()
    .flushed()
    .then(() => {
      flushed = true
    })
  await yieldToEventLoop()
  expect(flushed).toBe(true)
})

test('behavior: no idle slice is scheduled', async () => {
  const scheduled = jest.spyOn(globalThis, 'setImmediate')
  const { some } = createRecipients()
  const broadcasts = createBroadcasts()
  broadcasts.send({ frame: 'nobody', recipients: [] })
  expect(scheduled).not.toHaveBeenCalled()
  broadcasts.send({ frame: 'a', recipients: some(1) })
  expect(scheduled).toHaveBeenCalledTimes(1)
  for (let turns = 0; turns < 3; turns += 1) await nextTurn()
  expect(scheduled).toHaveBeenCalledTimes(1)
  scheduled.mockRestore()
})
