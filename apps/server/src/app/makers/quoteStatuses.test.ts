import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { rollBackTo, updateOf } from '../../../test/storedBlocks.ts'
import { maker, newQuote, other } from '../../../test/storedQuotes.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Bus } from '../../ports/bus.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { createQuoteStatuses } from './quoteStatuses.ts'

let store: Store
let bus: Bus
let clock: FakeClock
let leads: boolean
let failing: boolean
beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  bus = createInProcessBus({ onError() {} })
  clock = createFakeClock()
  leads = true
  failing = false
})
afterEach(() => store.close())

const turn = () => new Promise((resolve) => setImmediate(resolve))
const turns = async (count = 20) => {
  for (let left = count; left > 0; left -= 1) await turn()
}

function statusesOf(told: { status: string; final: boolean }[] = []) {
  const warnings: string[] = []
  const log = { debug() {}, info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} }
  const guarded: Store = {
    ...store,
    listStatuses: (...given) =>
      failing ? Promise.reject(new StorageUnavailableError('gone')) : store.listStatuses(...given),
  }
  const observe = { statusTold: (one: (typeof told)[0]) => told.push(one) }
  return { ...createQuoteStatuses({ store: guarded, bus, clock, log, observe }, () => leads), warnings }
}

function sessionOf(address = maker) {
  const frames: Record<string, unknown>[] = []
  let release: (() => void) | null = null
  let slow = false
  return {
    frames,
    seqs: () => frames.flatMap(({ type, seq }) => (type === 'quote_status' ? [seq as number] : [])),
    slowDown: () => {
      slow = true
    },
    catchUp: () => {
      slow = false
      release?.()
    },
    session: {
      address,
      send: (frame: string) => void frames.push(JSON.parse(frame)),
      taken: () => (slow ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve()),
    },
  }
}

/** Stores this many quotes, then ends all of them at once by raising the maker's nonce. */
async function endQuotes(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await store.insertQuote(newQuote(n))
  await store.applyBlocks(updateOf(1, null, [{ type: 'nonceRaised', maker, nonce: 1n }]))
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, index) => from + index)

describe('a session', () => {
  test('default: receives new updates of its maker only, in order of seq', async () => {
    const told: { status: string; final: boolean }[] = []
    const statuses = statusesOf(told)
    const [own, another] = [sessionOf(), sessionOf(other)]
    for (const { session } of [own, another]) statuses.join(session, await statuses.newest(session.address))
    await statuses.deliver()
    await endQuotes(3)
    await statuses.deliver()
    await turns()
    expect([own.seqs(), another.frames]).toEqual([upTo(3), []])
    expect(told).toEqual(Array.from({ length: 3 }, () => ({ status: 'nonce_raised', final: false })))
    await statuses.deliver()
    await turns()
    expect(own.seqs()).toEqual(upTo(3))
  })

  test('behavior: updates between its seq and its join are included', async () => {
    const statuses = statusesOf()
    await endQuotes(2)
    const { session, seqs } = sessionOf()
    statuses.join(session, 1)
    await turns()
    expect(seqs()).toEqual([2])
  })

  test('behavior: receives nothing after it has left', async () => {
    const statuses = statusesOf()
    const { session, frames } = sessionOf()
    const { leave } = statuses.join(session, 0)
    await statuses.deliver()
    leave()
    await endQuotes(2)
    await statuses.deliver()
    await turns()
    expect(frames).toEqual([])
  })

  test('behavior: the next read repeats a failed one', async () => {
    const statuses = statusesOf()
    const { session, seqs } = sessionOf()
    statuses.join(session, 0)
    await statuses.deliver()
    await endQuotes(2)
    failing = true
    await statuses.deliver()
    await turns()
    expect([seqs(), statuses.warnings.length]).toEqual([[], 1])
    failing = false
    await statuses.deliver()
    await turns()
    expect(seqs()).toEqual([1, 2])
  })
})

describe('polling', () => {
  test('behavior: a maker gets its update even if the next page cannot be read', async () => {
    const own = sessionOf()
    let calls = 0
    const listPendingUpdates: Store['listPendingUpdates'] = (after) => {
      calls += 1
      return calls === 3 ? Promise.reject(new StorageUnavailableError('gone')) : store.listPendingUpdates(after)
    }
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const statuses = createQuoteStatuses({ store: { ...store, listPendingUpdates }, bus, clock, log })
    statuses.join(own.session, 0)
    await statuses.deliver()
    await endQuotes(2)
    // The third call, which looks for further updates, fails.
    await statuses.deliver()
    await statuses.deliver()
    await turns()
    expect([own.seqs(), calls]).toEqual([[1, 2], 4])
  })
})

describe('rows written by another instance', () => {
  test('default: is sent on the hint and counted by the instance that follows the chain', async () => {
    const told: { status: string; final: boolean }[] = []
    const [here, there] = [statusesOf(), statusesOf(told)]
    const { session, seqs } = sessionOf()
    there.join(session, 0)
    await there.deliver()
    await endQuotes(2)
    leads = false
    here.deliverEverywhere()
    await turns()
    expect([seqs(), told]).toEqual([upTo(2), []])
  })

  test('behavior: is sent within a second without a hint, until the stop', async () => {
    const statuses = statusesOf()
    const { session, seqs } = sessionOf()
    statuses.join(session, 0)
    statuses.start()
    clock.advance(1_000)
    await turns()
    await endQuotes(1)
    clock.advance(999)
    await turns()
    expect(seqs()).toEqual([])
    clock.advance(1)
    await turns()
    expect(seqs()).toEqual([1])
    statuses.stop()
    expect(clock.pending()).toBe(0)
  })

  test('error: warns that the store is closed, but not after the stop', async () => {
    const statuses = statusesOf()
    await store.close()
    await statuses.deliver()
    expect(statuses.warnings).toEqual(['failed to read pending status updates'])
    statuses.stop()
    await statuses.deliver()
    expect(statuses.warnings).toHaveLength(1)
  })
})

describe('resume', () => {
  test('default: in pages, each after the previous one was sent; newer updates follow', async () => {
    const statuses = statusesOf()
    await endQuotes(150)
    await statuses.deliver()
    const own = sessionOf()
    own.slowDown()
    const { resume } = statuses.join(own.session, 150)
    await turns()
    expect(resume({ id: 'a', seq: 2 })).toBe(true)
    expect(resume({ seq: 0 })).toBe(false)
    await turns()
    expect(own.seqs()).toEqual(upTo(66, 3))
    await rollBackTo(store, null)
    await statuses.deliver()
    own.catchUp()
    await turns(40)
    expect(own.seqs()).toEqual(upTo(300, 3))
    const resumed = own.frames.findIndex(({ type }) => type === 'resumed')
    expect(own.frames[resumed]).toEqual({ type: 'resumed', id: 'a', seq: 300, oldest: 1 })
    expect(resume({ seq: 299 })).toBe(true)
    await turns()
    expect(own.frames.slice(-2)).toEqual([
      expect.objectContaining({ type: 'quote_status', seq: 300 }),
      { type: 'resumed', seq: 300, oldest: 1 },
    ])
  })

  test('error: the updates cannot be read', async () => {
    const statuses = statusesOf()
    const { session, frames } = sessionOf()
    const { resume } = statuses.join(session, 0)
    await turns()
    failing = true
    resume({ id: 'a', seq: 0 })
    await turns()
    expect(frames).toEqual([{ type: 'error', id: 'a', code: 'STORAGE_UNAVAILABLE', message: expect.any(String) }])
    failing = false
    expect(resume({ id: 'b', seq: 0 })).toBe(true)
    await turns()
    expect(frames.at(-1)).toEqual({ type: 'resumed', id: 'b', seq: 0, oldest: 1 })
  })
})
