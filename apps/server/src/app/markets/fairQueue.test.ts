import { expect, test } from '@jest/globals'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { createFairQueue } from './fairQueue.ts'

/** Lets queued tasks start. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await yieldToEventLoop()
}

/** A queue whose tasks record their start and end on demand. */
function createTasks(limits: { maxRunning: number; maxWaiting: number }) {
  const queue = createFairQueue(limits)
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const begin = (network: string, name: string) => {
    const result = queue.run(
      network,
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name)
          ends.set(name, (error) => (error ? reject(error) : resolve(name)))
        }),
    )
    result.catch(() => {})
    return result
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await settle()
  }
  return { started, begin, end }
}

test('behavior: tasks of one network run in order, at most maxRunning at a time, and a failure frees its slot', async () => {
  const { started, begin, end } = createTasks({ maxRunning: 2, maxWaiting: 2 })
  const [first, second] = [begin('a', '1'), begin('a', '2'), begin('a', '3'), begin('a', '4')]
  await expect(begin('a', '5')).rejects.toMatchObject({ code: 'OVERLOADED' })
  await settle()
  expect(started).toEqual(['1', '2'])
  await end('1', new TypeError('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(started).toEqual(['1', '2', '3'])
  await end('2')
  expect(await second).toBe('2')
  for (const name of ['3', '4']) await end(name)
  expect(started).toEqual(['1', '2', '3', '4'])
  const last = begin('a', '6')
  await settle()
  await end('6')
  expect(await last).toBe('6')
})

test('behavior: networks take turns, however many tasks one of them has', async () => {
  const { started, begin, end } = createTasks({ maxRunning: 1, maxWaiting: 10 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) void begin('a', name)
  void begin('b', 'b1')
  void begin('c', 'c1')
  void begin('b', 'b2')
  await settle()
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('behavior: a full queue refuses the newest task of the network with the most', async () => {
  const { started, begin, end } = createTasks({ maxRunning: 1, maxWaiting: 3 })
  const [, , , newest] = [begin('a', 'a1'), begin('a', 'a2'), begin('a', 'a3'), begin('a', 'a4')]
  const honest = begin('b', 'b1')
  await expect(newest).rejects.toMatchObject({ code: 'OVERLOADED' })
  const second = begin('c', 'c1')
  // Three networks now wait with one task each, so any further task of theirs is refused.
  await expect(begin('b', 'b2')).rejects.toMatchObject({ code: 'OVERLOADED' })
  await expect(begin('d', 'd1')).rejects.toMatchObject({ code: 'OVERLOADED' })
  await settle()
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1'])
  expect(await Promise.all([honest, second])).toEqual(['b1', 'c1'])
})

test('behavior: other work runs between tasks that need no I/O, whether they waited or not', async () => {
  const queue = createFairQueue({ maxRunning: 2, maxWaiting: 100 })
  let done = 0
  const task = async () => {
    done += 1
  }
  const all = Array.from({ length: 20 }, () => queue.run('a', task))
  expect(done).toBe(0)
  const counts: number[] = []
  while (done < 20) {
    counts.push(done)
    await yieldToEventLoop()
  }
  expect(counts.length).toBeGreaterThanOrEqual(10)
  await Promise.all(all)
})
