import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, expect, test } from '@jest/globals'
import { newQuote } from '../../test/storedQuotes.ts'
import { StorageUnavailableError } from '../ports/errors.ts'
import type { Store } from '../ports/store.ts'
import { watchStorage } from './storageWatch.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
let clock: FakeClock
/** Milliseconds that the clock is ahead of the timers, as after a suspension of the process. */
let lateMs: number
let probes: number
let write: () => Promise<unknown>
let probe: () => Promise<void>
let watched: ReturnType<typeof watchStorage>
beforeEach(() => {
  clock = createFakeClock()
  lateMs = 0
  probes = 0
  write = () => new Promise(() => {})
  probe = async () => {}
  const store = {
    insertQuote: () => write(),
    probe: () => {
      probes += 1
      return probe()
    },
    integrity: () => 'ok',
  } as unknown as Store
  const late = { monotonic: () => clock.monotonic() + lateMs, after: clock.after }
  watched = watchStorage(store, { clock: late, log: silent })
})

const insert = () => watched.store.insertQuote(newQuote(1))
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('behavior: a suspended process without pending writes probes as before', async () => {
  write = () => Promise.reject(new StorageUnavailableError('The disk is full.'))
  await expect(insert()).rejects.toThrow('full')
  lateMs = 60_000
  clock.advance(500)
  await turn()
  expect([probes, watched.watch.isWritable()]).toEqual([1, true])
  watched.watch.stop()
})

test('behavior: a process that was suspended during a write directs no clients away, because the answer is waiting', async () => {
  let answer: (error: Error | null) => void = () => {}
  write = () =>
    new Promise((resolve, reject) => {
      answer = (error) => (error ? reject(error) : resolve({}))
    })
  let lost = 0
  watched.watch.onLost(() => {
    lost += 1
  })
  // The process was suspended for 5 s: timers run first, then the responses that arrived in the meantime.
  const first = insert()
  lateMs += 5_000
  clock.advance(1_000)
  expect(watched.watch.isWritable()).toBe(false)
  answer(null)
  await first
  clock.advance(500)
  await turn()
  expect([lost, watched.watch.isWritable()]).toEqual([0, true])
  // The same holds while the store is failing, for both a long-hanging write and a probe.
  for (const begun of [() => insert().catch(() => {}), null]) {
    write = () => Promise.reject(new StorageUnavailableError('The disk is full.'))
    await expect(insert()).rejects.toThrow('full')
    let answerProbe = () => {}
    probe = () =>
      new Promise((resolve) => {
        answerProbe = resolve
      })
    write = () =>
      new Promise((_, reject) => {
        answer = (error) => reject(error)
      })
    const waiting = begun?.()
    if (!begun) clock.advance(500)
    lateMs += 5_000
    clock.advance(500)
    await turn()
    expect(lost).toBe(0)
    answer(new StorageUnavailableError('The connection is gone.'))
    answerProbe()
    probe = async () => {}
    await waiting
    await turn()
    clock.advance(500)
    await turn()
    expect([lost, watched.watch.isWritable()]).toEqual([0, true])
  }
  watched.watch.stop()
})

test('behavior: two ticks without an answer direct clients to other instances', async () => {
  let lost = 0
  watched.watch.onLost(() => {
    lost += 1
  })
  void insert()
  lateMs += 5_000
  clock.advance(1_000)
  clock.advance(500)
  expect([lost, probes]).toEqual([0, 0])
  clock.advance(500)
  expect([lost, probes, watched.watch.isLost()]).toEqual([1, 0, true])
  watched.watch.stop()
})

test('behavior: no timer is left after the stop', () => {
  watched.watch.stop()
  const pending = clock.pending()
  void insert()
  expect(clock.pending()).toBe(pending)
})
