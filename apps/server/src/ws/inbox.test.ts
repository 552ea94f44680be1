import { expect, test } from '@jest/globals'
import { createInbox } from './inbox.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('default: messages are handled in the order in which they came, not where they arrive', async () => {
  const log: string[] = []
  const inbox = createInbox()
  inbox.add(() => {
    log.push('a')
    // What comes meanwhile waits for those before it.
    inbox.add(() => log.push('c'))
  })
  inbox.add(() => log.push('b'))
  expect(log).toEqual([])
  await turn()
  expect(log).toEqual(['a', 'b', 'c'])
  inbox.add(() => log.push('d'))
  await turn()
  expect(log).toEqual(['a', 'b', 'c', 'd'])
})

test('behavior: between the slices of many the event loop turns', async () => {
  const log: number[] = []
  const inbox = createInbox()
  const all = Array.from({ length: 100 }, (_, index) => index)
  for (const index of all) inbox.add(() => log.push(index))
  await turn()
  const first = log.length
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThan(50)
  await turn()
  expect(log.length).toBeGreaterThan(first)
  while (log.length < all.length) await turn()
  expect(log).toEqual(all)
})

test('behavior: it holds no more than it may, the oldest is handled where one too many arrives', async () => {
  const log: number[] = []
  const inbox = createInbox()
  const all = Array.from({ length: 10_000 }, (_, index) => index)
  for (const index of all) inbox.add(() => log.push(index))
  expect(all.length - log.length).toBeLessThan(5_000)
  while (log.length < all.length) await turn()
  expect(log).toEqual(all)
})
