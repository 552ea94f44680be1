import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createLimiter } from './limiter.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** Tasks that a test finishes manually. `begun` lists the started tasks' names, in order. */
function createTasks() {
  const begun: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: () => void }>()
  return {
    begun,
    task: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { resolve: () => resolve(name), reject: () => reject(new TypeError(name)) })
      })
    },
    async end(name: string, how: 'resolve' | 'reject' = 'resolve') {
      ends.get(name)?.[how]()
      await jest.advanceTimersByTimeAsync(0)
    },
  }
}

test('default: what each has come to, in their order, null for one that has failed; no timer is left', async () => {
  const { task, end, begun } = createTasks()
  const all = createLimiter(3)([task('a'), task('b'), task('c')], 1_000)
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('c')
  await end('b', 'reject')
  await end('a')
  expect(await all).toEqual(['a', null, 'c'])
  expect(jest.getTimerCount()).toBe(0)
})

test('behavior: resolves immediately without tasks', async () => {
  expect(await createLimiter(1)([], 1_000)).toEqual([])
  expect(jest.getTimerCount()).toBe(0)
})

test('behavior: limits concurrency across callers, in FIFO order', async () => {
  const { task, end, begun } = createTasks()
  const run = createLimiter(2)
  const first = run([task('a'), task('b'), task('c')], 1_000)
  const second = run([task('d'), task('e')], 1_000)
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a', 'reject')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await end('c')
  expect(await first).toEqual([null, 'b', 'c'])
  await end('d')
  await end('e')
  expect(await second).toEqual(['d', 'e'])
})

test('behavior: returns what is done after the timeout, and never starts the rest', async () => {
  const { task, end, begun } = createTasks()
  const run = createLimiter(2)
  const late = run([task('a'), task('b'), task('c')], 1_000)
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
  const others = run([task('d'), task('e')], 5_000)
  await jest.advanceTimersByTimeAsync(999)
  let results: unknown
  void late.then((given) => {
    results = given
  })
  await jest.advanceTimersByTimeAsync(0)
  expect(results).toBeUndefined()
  const abandoned = run([task('never')], 1)
  await jest.advanceTimersByTimeAsync(1)
  expect(results).toEqual(['a', null, null])
  expect(await abandoned).toEqual([null])

  // Running tasks keep their slots but do not change results already returned.
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('b')
  await end('c')
  expect(results).toEqual(['a', null, null])
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  await end('d')
  await end('e')
  expect(await others).toEqual(['d', 'e'])
  expect(begun).not.toContain('never')
})
