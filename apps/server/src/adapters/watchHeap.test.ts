import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { watchHeap } from './watchHeap.ts'

test('behavior: a thread above 85 % of its heap limit, without the part for young objects, is logged, at most every ten minutes', () => {
  const clock = createFakeClock()
  const logs: unknown[] = []
  const threadOf = (thread: string, heapMiB: number | null) => ({
    ...{ thread, heapBytes: heapMiB && heapMiB * 2 ** 20, heapLimitBytes: 1_192 * 2 ** 20 },
    ...{ cpuSeconds: null, busySeconds: null },
  })
  let threads = [threadOf('main', 850), threadOf('store', null)]
  const stop = watchHeap({ clock, log: { warn: (facts: unknown) => void logs.push(facts) } }, () => threads)
  clock.advance(5_000)
  expect(logs).toEqual([])
  threads = [threadOf('main', 851), threadOf('store', 990)]
  const [main, store] = [
    { thread: 'main', heapMiB: 851, usableMiB: 1_000 },
    { thread: 'store', heapMiB: 990, usableMiB: 1_000 },
  ]
  for (let seconds = 0; seconds < 600; seconds += 5) clock.advance(5_000)
  expect(logs).toEqual([main, store])
  clock.advance(5_000)
  expect(logs).toEqual([main, store, main, store])
  stop()
  clock.advance(600_000)
  expect(logs).toHaveLength(4)
})
