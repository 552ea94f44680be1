import { createFakeClock, type FakeClock } from '@firmquote/testing/fakeClock'
import { beforeEach, expect, test } from '@jest/globals'
import { StorageUnavailableError } from '../ports/errors.ts'
import type { Store } from '../ports/store.ts'
import { newQuote } from '../testing/storedQuotes.ts'
import { watchStorage } from './storageWatch.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
let clock: FakeClock
/** How much later than its timers the clock is: a process that was suspended finds that much time gone. */
let lateMs: number
let probes: number
let write: () => Promise<unknown>
let watched: ReturnType<typeof watchStorage>
beforeEach(() => {
  clock = createFakeClock()
  lateMs = 0
  probes = 0
  write = () => new Promise(() => {})
  const store = {
    insertQuote: () => write(),
    probe: async () => {
      probes += 1
    },
    integrity: () => 'ok',
  } as unknown as Store
  const late = { monotonic: () => clock.monotonic() + lateMs, after: clock.after }
  watched = watchStorage(store, { clock: late, log: silent })
})

const insert = () => watched.store.insertQuote(newQuote(1))
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('behavior: a process that was suspended probes as before: no write is under way', async () => {
  write = () => Promise.reject(new StorageUnavailableError('The disk is full.'))
  await expect(insert()).rejects.toThrow('full')
  lateMs = 60_000
  clock.advance(500)
  await turn()
  expect([probes, watched.watch.isWritable()]).toEqual([1, true])
  watched.watch.stop()
})

test('behavior: after the stop nothing waits for a write', () => {
  watched.watch.stop()
  const pending = clock.pending()
  void insert()
  expect(clock.pending()).toBe(pending)
})
