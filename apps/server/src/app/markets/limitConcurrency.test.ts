import { expect, test } from '@jest/globals'
import { limitConcurrency } from './limitConcurrency.ts'

test('behavior: tasks run in order, at most maxRunning at a time; the queue is bounded, and a failure frees its slot', async () => {
  const limit = limitConcurrency({ maxRunning: 2, maxWaiting: 2 })
  const started: number[] = []
  const ends: ((failed: boolean) => void)[] = []
  const begin = (name: number) =>
    limit.run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(name)
          ends.push((failed) => (failed ? reject(new TypeError('failed')) : resolve(name)))
        }),
    )
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  const work = [begin(0), begin(1), begin(2), begin(3)]
  await expect(begin(4)).rejects.toMatchObject({ code: 'OVERLOADED' })
  expect(started).toEqual([0, 1])
  ends[0]?.(true)
  await expect(work[0]).rejects.toThrow('failed')
  await settle()
  expect(started).toEqual([0, 1, 2])
  ends[1]?.(false)
  await settle()
  expect(started).toEqual([0, 1, 2, 3])
  ends[2]?.(false)
  ends[3]?.(false)
  expect(await Promise.all(work.slice(1))).toEqual([1, 2, 3])
  const last = begin(5)
  await settle()
  ends[4]?.(false)
  expect(await last).toBe(5)
})
