// Long because the tests share a store whose writes they control.
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { rollBackTo, updateOf } from '../../test/storedBlocks.ts'
import { newQuote } from '../../test/storedQuotes.ts'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'
import { CursorMovedError, StorageUnavailableError, WrongDatabaseError } from '../ports/errors.ts'
import type { Store } from '../ports/store.ts'
import { yieldToEventLoop } from '../scheduling/eventLoop.ts'
import { watchStorage } from './storageWatch.ts'

const settle = async () => {
  for (let turns = 0; turns < 10; turns += 1) await yieldToEventLoop()
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Controls the faults of two kinds of writes, counts calls to each, and releases those that hang. */
function createFaults(inner: Store) {
  const waiting: (() => void)[] = []
  const faults = {
    ...({ insertQuote: 'none', probe: 'none' } as Record<'insertQuote' | 'probe', 'none' | 'fails' | 'hangs'>),
    asked: { insertQuote: 0, probe: 0 },
    release() {
      for (const go of waiting.splice(0)) go()
    },
  }
  const play = async <T>(name: 'insertQuote' | 'probe', write: () => Promise<T>): Promise<T> => {
    faults.asked[name] += 1
    if (faults[name] === 'fails') throw new StorageUnavailableError('The disk is full.')
    if (faults[name] === 'hangs') await new Promise<void>((resolve) => waiting.push(resolve))
    return write()
  }
  const faulty: Store = {
    ...inner,
    insertQuote: (...given) => play('insertQuote', () => inner.insertQuote(...given)),
    probe: () => play('probe', inner.probe),
  }
  return { faults, faulty }
}

async function start() {
  const clock = createFakeClock()
  // A monotonic clock may start at any value.
  clock.advance(123_456)
  const logs: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const write = (level: string) => (facts: Record<string, unknown>, message: string) =>
    void logs.push({ level, facts, message })
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const inner = await createSqliteStore({ file: ':memory:' })
  const { faults, faulty } = createFaults(inner)
  const { store, watch } = watchStorage(faulty, { clock, log })
  let lost = 0
  const forget = watch.onLost(() => {
    lost += 1
  })
  return { clock, faults, logs, inner, faulty, store, watch, forget, timesLost: () => lost }
}

let it: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  it = await start()
})

afterEach(() => it.inner.close())

/** Advances time in small steps, so that calls can be answered in between. */
async function pass(milliseconds: number) {
  for (let left = milliseconds; left > 0; left -= 100) {
    it.clock.advance(Math.min(left, 100))
    await settle()
  }
}

const insert = (store: Store = it.store) => store.insertQuote(newQuote(1))

describe('watchStorage', () => {
  test('default', async () => {
    expect(await insert()).toMatchObject({ created: true })
    expect(await it.store.findQuote(newQuote(1).hash)).toMatchObject({ apr: 1 })
    expect(it.watch.isWritable()).toBe(true)
    expect(it.logs).toEqual([])
    await pass(10_000)
    expect(it.faults.asked.probe).toBe(0)
    expect(it.timesLost()).toBe(0)
  })

  test('error: a failing write is remembered and rethrown, and the first failure is logged', async () => {
    it.faults.insertQuote = 'fails'
    for (const _ of [1, 2]) await expect(insert()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(it.watch.isWritable()).toBe(false)
    expect(it.logs).toMatchObject([
      { level: 'error', message: 'failed to write to the database', facts: { err: { code: 'STORAGE_UNAVAILABLE' } } },
    ])
  })

  test('behavior: it probes every half second and recovers', async () => {
    Object.assign(it.faults, { insertQuote: 'fails', probe: 'fails' })
    await expect(insert()).rejects.toThrow()
    await pass(499)
    expect(it.faults.asked.probe).toBe(0)
    await pass(1)
    expect(it.faults.asked.probe).toBe(1)
    await pass(1_000)
    expect(it.faults.asked.probe).toBe(3)
    expect(it.watch.isWritable()).toBe(false)
    it.faults.probe = 'none'
    await pass(500)
    expect(it.watch.isWritable()).toBe(true)
    expect(it.logs.at(-1)).toMatchObject({ level: 'info', facts: { seconds: 2 } })
    await pass(5_000)
    expect(it.faults.asked.probe).toBe(4)
    expect(it.clock.pending()).toBe(0)
    await expect(insert()).rejects.toThrow()
    expect(it.logs.filter(({ level }) => level === 'error')).toHaveLength(2)
  })

  test('behavior: a successful write does not prove recovery, because it may have had nothing to change', async () => {
    it.faults.insertQuote = 'fails'
    await expect(insert()).rejects.toThrow()
    await rollBackTo(it.store, null)
    expect(it.watch.isWritable()).toBe(false)
    await pass(500)
    expect(it.watch.isWritable()).toBe(true)
    expect(it.faults.asked.probe).toBe(1)
  })

  test("behavior: a use case's probe is a recovery too", async () => {
    Object.assign(it.faults, { insertQuote: 'fails', probe: 'fails' })
    await expect(insert()).rejects.toThrow()
    await expect(it.store.probe()).rejects.toThrow()
    expect(it.watch.isWritable()).toBe(false)
    it.faults.probe = 'none'
    await it.store.probe()
    expect(it.watch.isWritable()).toBe(true)
    await pass(2_000)
    expect(it.faults.asked.probe).toBe(2)
    expect(it.clock.pending()).toBe(0)
  })

  test('behavior: without writes, a failed read starts a probe, and the time counts from the read', async () => {
    Object.assign(it.faults, { probe: 'fails' })
    const read = it.inner.listOpenAuctions
    let isCut = true
    const answer = async () => {
      if (!isCut) return read()
      await new Promise<void>((resolve) => it.clock.after(1_500, resolve))
      throw new StorageUnavailableError('The database does not answer.')
    }
    const cut = watchStorage({ ...it.store, listOpenAuctions: answer }, { clock: it.clock, log: silent })
    let lost = 0
    cut.watch.onLost(() => {
      lost += 1
    })
    const looked = cut.store.listOpenAuctions().catch((error: Error) => error.name)
    await pass(1_400)
    expect(cut.watch.isWritable()).toBe(true)
    await pass(100)
    expect([await looked, cut.watch.isWritable(), lost]).toEqual(['StorageUnavailableError', false, 0])
    await pass(500)
    expect(lost).toBe(1)
    isCut = false
    it.faults.probe = 'none'
    await pass(500)
    expect(cut.watch.isWritable()).toBe(true)
    expect(await cut.store.listOpenAuctions()).toEqual([])
    cut.watch.stop()
  })

  test("behavior: a failed write of the log counts, and the log's reads stay", async () => {
    const { proofs } = it.inner
    if (!proofs) throw new TypeError('The store has no proofs.')
    const fails = async () => {
      throw new StorageUnavailableError('The disk is full.')
    }
    const watched = it.watch.watchLog({ ...proofs, advanceLog: fails })
    expect(await watched.findLog()).toBeNull()
    expect(it.watch.isWritable()).toBe(true)
    await expect(watched.advanceLog(1)).rejects.toThrow('The disk is full.')
    expect(it.watch.isWritable()).toBe(false)
  })

  test('behavior: a failed read has no effect while writes succeed', async () => {
    let probes = 0
    const fails = async () => {
      throw new StorageUnavailableError('The database does not answer.')
    }
    const probe = async () => {
      probes += 1
    }
    const cut = watchStorage({ ...it.store, listOpenAuctions: fails, probe }, { clock: it.clock, log: silent })
    await expect(cut.store.listOpenAuctions()).rejects.toThrow()
    await pass(5_000)
    expect([probes, cut.watch.isWritable()]).toEqual([1, true])
    cut.watch.stop()
  })

  test('behavior: a sync write that lost a race says nothing about the database', async () => {
    const { applyBlocks } = it.store
    await applyBlocks(updateOf(1, null, []))
    await expect(applyBlocks(updateOf(3, 2, []))).rejects.toThrow(CursorMovedError)
    expect([it.watch.isWritable(), it.logs]).toEqual([true, []])
  })

  test('behavior: after two seconds without a write, clients are directed to other instances, once per failure', async () => {
    Object.assign(it.faults, { insertQuote: 'fails', probe: 'fails' })
    await expect(insert()).rejects.toThrow()
    await pass(1_900)
    expect(it.timesLost()).toBe(0)
    await pass(100)
    expect(it.timesLost()).toBe(1)
    await pass(5_000)
    expect(it.timesLost()).toBe(1)
    it.faults.probe = 'none'
    await pass(500)
    it.faults.probe = 'fails'
    await expect(insert()).rejects.toThrow()
    await pass(2_000)
    expect([it.timesLost(), it.watch.isLost()]).toEqual([2, true])
    it.forget()
    it.faults.probe = 'none'
    await pass(500)
    expect(it.watch.isLost()).toBe(false)
    it.faults.probe = 'fails'
    await expect(insert()).rejects.toThrow()
    await pass(3_000)
    expect(it.timesLost()).toBe(2)
  })

  test('behavior: a failing listener does not stop the probes', async () => {
    it.watch.onLost(() => {
      throw new TypeError('a test')
    })
    Object.assign(it.faults, { insertQuote: 'fails', probe: 'fails' })
    await expect(insert()).rejects.toThrow()
    await pass(2_000)
    expect(it.logs.at(-1)).toMatchObject({ level: 'error', message: 'failed to direct clients to other instances' })
    expect(it.timesLost()).toBe(1)
    it.faults.probe = 'none'
    await pass(1_000)
    expect(it.watch.isWritable()).toBe(true)
  })

  test('error: a write that hangs counts as failed after a second, until it is answered and a probe succeeds', async () => {
    it.faults.insertQuote = 'hangs'
    const answer = insert()
    await pass(999)
    expect(it.watch.isWritable()).toBe(true)
    await pass(1)
    expect(it.watch.isWritable()).toBe(false)
    expect(it.logs).toMatchObject([{ level: 'error', message: 'failed to write to the database' }])
    // A hanging call is not repeated.
    await pass(900)
    expect(it.timesLost()).toBe(0)
    await pass(600)
    expect(it.timesLost()).toBe(1)
    expect(it.faults.asked.probe).toBe(0)
    it.faults.release()
    expect(await answer).toMatchObject({ created: true })
    expect(it.watch.isWritable()).toBe(false)
    await pass(500)
    expect([it.watch.isWritable(), it.faults.asked.probe]).toEqual([true, 1])
    await pass(3_000)
    expect(it.clock.pending()).toBe(0)
  })

  test('behavior: an answer that waited for a busy process is not late', async () => {
    // The process resumes after a second. Timers run first, then the responses that have arrived, in the same turn.
    const { clock } = it
    const later = { ...clock, after: (ms: number, callback: () => void) => clock.after(Math.max(ms, 1), callback) }
    const { store, watch } = watchStorage(it.faulty, { clock: later, log: silent })
    it.faults.insertQuote = 'hangs'
    const answer = insert(store)
    clock.advance(1_000)
    it.faults.release()
    await answer
    clock.advance(1)
    expect(watch.isWritable()).toBe(true)

    it.faults.insertQuote = 'hangs'
    const hanging = insert(store)
    clock.advance(1_000)
    expect(watch.isWritable()).toBe(true)
    clock.advance(1)
    expect(watch.isWritable()).toBe(false)
    it.faults.release()
    await hanging
    watch.stop()
  })

  test('behavior: many consecutive writes are not a hanging write', async () => {
    for (let round = 0; round < 5; round += 1) {
      it.faults.insertQuote = 'hangs'
      const slow = insert()
      await pass(900)
      it.faults.release()
      await slow
    }
    expect(it.watch.isWritable()).toBe(true)
    // The check is due one second after the last progress, not after the first write.
    it.faults.insertQuote = 'hangs'
    const hanging = insert()
    await pass(1_000)
    expect(it.watch.isWritable()).toBe(false)
    it.faults.release()
    await hanging
  })

  test('behavior: not writable during the integrity check, nor ever on damaged data', async () => {
    let integrity: ReturnType<Store['integrity']> = 'checking'
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    const { store, watch } = watchStorage({ ...it.inner, integrity: () => integrity }, { clock: it.clock, log })
    expect(watch.isWritable()).toBe(false)
    // Running work continues.
    expect(await insert(store)).toMatchObject({ created: true })
    integrity = 'ok'
    expect(watch.isWritable()).toBe(true)
    integrity = 'bad'
    expect(watch.isWritable()).toBe(false)
    watch.stop()
  })

  test('behavior: an unrelated error is not a storage failure', async () => {
    const claim = { chainId: 1, genesisHash: newQuote(1).hash, quoteMarket: newQuote(1).quote.maker }
    await it.store.claim(claim)
    await expect(it.store.claim({ ...claim, chainId: 2 })).rejects.toThrow(WrongDatabaseError)
    expect(it.watch.isWritable()).toBe(true)
  })

  test('behavior: after the stop it does nothing', async () => {
    Object.assign(it.faults, { insertQuote: 'fails', probe: 'fails' })
    await expect(insert()).rejects.toThrow()
    it.watch.stop()
    expect(it.clock.pending()).toBe(0)
    await expect(insert()).rejects.toThrow()
    await pass(3_000)
    expect([it.faults.asked.probe, it.timesLost(), it.clock.pending()]).toEqual([0, 0, 0])
  })

  test('behavior: one probe at a time', async () => {
    it.faults.insertQuote = 'fails'
    await expect(insert()).rejects.toThrow('full')
    it.faults.probe = 'hangs'
    await pass(900)
    expect(it.faults.asked.probe).toBe(1)
    // At 1,000 ms, the first probe is only 500 ms old, so no second probe may start.
    await pass(200)
    expect(it.faults.asked.probe).toBe(1)
    it.faults.probe = 'none'
    it.faults.release()
    await settle()
    expect(it.watch.isWritable()).toBe(true)
  })

  test('behavior: a pending write does not delay probes; a hanging one does', async () => {
    it.faults.insertQuote = 'fails'
    await expect(insert()).rejects.toThrow('full')
    it.faults.probe = 'fails'
    it.faults.insertQuote = 'hangs'
    const hanging = insert()
    await pass(500)
    expect(it.faults.asked.probe).toBe(1)
    it.faults.probe = 'hangs'
    await pass(500)
    expect(it.faults.asked.probe).toBe(2)
    it.faults.release()
    await settle()
    await hanging
  })

  test('behavior: newer writes do not hide a hanging one', async () => {
    it.faults.insertQuote = 'hangs'
    const writes = [insert()]
    for (let times = 0; times < 4; times += 1) {
      await pass(300)
      writes.push(insert())
    }
    expect(it.watch.isWritable()).toBe(false)
    expect(it.logs).toEqual([
      {
        level: 'error',
        facts: {
          err: expect.objectContaining({ message: expect.stringContaining('not answered a write for 1000 ms') }),
        },
        message: 'failed to write to the database',
      },
    ])
    it.faults.release()
    await Promise.all(writes)
  })

  test('behavior: the second counts from the last answer, or from the first write after an idle time', async () => {
    it.faults.insertQuote = 'hangs'
    let writes: Promise<unknown>[] = [insert()]
    // Each write is answered after 600 ms, and one write is always pending.
    for (let times = 0; times < 4; times += 1) {
      await pass(600)
      it.faults.release()
      await settle()
      writes.push(insert())
    }
    expect(it.watch.isWritable()).toBe(true)
    it.faults.release()
    await Promise.all(writes)
    await pass(300)
    writes = [insert()]
    await pass(900)
    expect(it.watch.isWritable()).toBe(true)
    await pass(200)
    expect(it.watch.isWritable()).toBe(false)
    it.faults.release()
    await Promise.all(writes)
  })

  test('behavior: another hanging write is noticed after the first is answered', async () => {
    it.faults.insertQuote = 'hangs'
    const first = insert()
    await pass(1_100)
    it.faults.release()
    await first
    await pass(600)
    expect(it.watch.isWritable()).toBe(true)
    const second = insert()
    await pass(1_100)
    expect(it.watch.isWritable()).toBe(false)
    it.faults.release()
    await second
  })

  test('behavior: after the stop a failure concerns only its caller; an idle watch can be stopped', async () => {
    it.watch.stop()
    it.faults.insertQuote = 'fails'
    await expect(insert()).rejects.toThrow('full')
    it.faults.insertQuote = 'hangs'
    const hanging = insert()
    await pass(5_000)
    expect([it.logs, it.faults.asked.probe, it.clock.pending()]).toEqual([[], 0, 0])
    it.faults.release()
    await hanging
  })
})
