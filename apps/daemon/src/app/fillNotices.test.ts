// This file exceeds 400 lines because its tests cover one state machine and share its harness.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChainUnavailableError } from '@firmquote/core'
import { playUntilMet } from '@firmquote/test-support/coverage'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { until } from '../../test/daemonHarness.ts'
import { bytesOf, exampleFill, filledStatus, otherStatus } from '../../test/exampleFill.ts'
import { createSqliteStore } from '../adapters/sqliteStore/createSqliteStore.ts'
import type { Fill, FillNotice, HookTiming } from '../domain/fill.ts'
import { HookError } from '../errors.ts'
import type { Store } from '../ports/store.ts'
import { createFillNotices, type FillNotices } from './fillNotices.ts'

const url = 'http://localhost:3005'
const maker = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const domain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const

/**
 * Creates notices with a real database and a chain and hook controlled by the test. `restart` simulates `kill -9` and a
 * new start.
 */
async function startNotices({ when = 'filled', hasHook = true }: { when?: HookTiming; hasHook?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-notices-'))
  const clock = createFakeClock()
  const logged: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const write = (level: string) => (facts: object, message: string) => {
    logged.push({ level, facts: { ...facts }, message })
  }
  const world = {
    /** Fills that the node reports, by quote. */
    chain: new Map<Hex, Fill>(),
    isChainDown: false,
    isDiskFull: false,
    /** Notices passed to the hook. `answer` determines the outcome of each call. */
    calls: [] as FillNotice[],
    answer: async (_notice: FillNotice, _signal: AbortSignal): Promise<void> => {},
  }
  let store: Store
  let notices: FillNotices
  async function run() {
    const opened = await createSqliteStore({ file: join(folder, 'daemon.db'), now: clock.now() })
    store = {
      ...opened,
      async saveStatus(...args) {
        if (world.isDiskFull) throw new TypeError('The disk is full.')
        return opened.saveStatus(...args)
      },
    }
    const chain = {
      async readFill(hash: Hex, block: bigint) {
        if (world.isChainDown) throw new ChainUnavailableError('Failed to read the chain.')
        const fill = world.chain.get(hash)
        return fill?.block === block ? fill : null
      },
    }
    const call = async (notice: FillNotice, signal: AbortSignal) => {
      world.calls.push(notice)
      await world.answer(notice, signal)
    }
    const log = { info: write('info'), warn: write('warn'), error: write('error') }
    const hook = hasHook ? { call, when, timeoutMs: 30_000 } : null
    notices = createFillNotices({ maker, domain, chain, store, clock, hook, counts: { filled() {} }, log })
    notices.start()
  }
  await run()
  return {
    world,
    clock,
    logged,
    get store() {
      return store
    },
    get notices() {
      return notices
    },
    tell: (...statuses: Parameters<FillNotices['receive']>[1][]) => {
      for (const status of statuses) notices.receive(url, status)
    },
    async restart() {
      const before = store
      await before.close()
      await run()
    },
    async end() {
      await notices.stop()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

type Parts = Awaited<ReturnType<typeof startNotices>>
let parts: Parts

const settle = async () => {
  for (let turns = 0; turns < 60; turns++) await new Promise((resolve) => setImmediate(resolve))
}

describe('createFillNotices', () => {
  const start = async (options: Parameters<typeof startNotices>[0] = {}) => {
    parts = await startNotices(options)
    return parts
  }
  beforeEach(() => start())
  afterEach(() => parts.end())
  /** Stops the current instance and starts another one with the given options. */
  const startOther = async (options: Parameters<typeof startNotices>[0]) => {
    await parts.end()
    return start(options)
  }

  test("default: notifies the hook of a fill once, with the node's data", async () => {
    const { world, logged, tell } = parts
    const fill = exampleFill()
    world.chain.set(fill.hash, fill)
    tell({ ...filledStatus(1, fill), notional: 5n, cost: 6n, positionId: 9n })
    await until(() => logged.some(({ message }) => message === 'fill delivered to the hook'))
    expect(world.calls).toEqual([
      {
        id: fill.hash,
        event: 'filled',
        final: false,
        chainId: 8453,
        quoteMarket: domain.quoteMarket,
        maker,
        taker: fill.taker,
        poolId: fill.poolId,
        seriesKey: fill.seriesKey,
        loanToken: fill.loanToken,
        expiry: fill.expiry,
        notional: '1000000000',
        cost: '25000001',
        positionId: '7',
        block: 100,
        transactionHash: fill.transactionHash,
      },
    ])
    expect(logged.find(({ message }) => message === 'filled')?.facts).toMatchObject({ hash: fill.hash, cost: '6' })
    tell(filledStatus(1, fill), filledStatus(2, fill, true))
    await settle()
    await parts.restart()
    await settle()
    expect(world.calls).toHaveLength(1)
    expect(await parts.notices.status()).toEqual({ unanswered: 0, lastError: null })
    expect(await parts.store.findStatusSeq(url)).toBe(2)
  })

  test('behavior: waits until the node has the fill', async () => {
    const { world, clock, notices, tell } = parts
    const fill = exampleFill()
    tell(filledStatus(1, fill))
    await settle()
    expect(world.calls).toEqual([])
    expect(await notices.status()).toEqual({
      unanswered: 1,
      lastError: 'The node at chain.rpcUrl does not have the fill in the reported block, or does not have it yet.',
    })
    world.isChainDown = true
    clock.advance(1_000)
    await settle()
    expect((await notices.status()).lastError).toBe('Failed to read the chain or the database.')
    world.isChainDown = false
    world.chain.set(fill.hash, fill)
    clock.advance(2_000)
    await until(() => world.calls.length === 1)
    await settle()
    expect(await notices.status()).toEqual({ unanswered: 0, lastError: null })
  })

  test('behavior: retries a failed call after 1, 2, 4 s, then each minute, without delaying others', async () => {
    const { world, clock, notices, tell } = parts
    const [bad, good] = [exampleFill(), exampleFill({ hash: bytesOf(2) })]
    for (const fill of [bad, good]) world.chain.set(fill.hash, fill)
    world.answer = async ({ id }) => {
      if (id === bad.hash) throw new HookError('The hook has ended with exit code 3.')
    }
    tell(filledStatus(1, bad), filledStatus(2, good))
    await settle()
    expect(world.calls.map(({ id }) => id)).toEqual([bad.hash, good.hash])
    expect(await notices.status()).toEqual({ unanswered: 1, lastError: 'The hook has ended with exit code 3.' })
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = world.calls.length
      clock.advance(pauseMs - 1)
      await settle()
      expect(world.calls).toHaveLength(before)
      clock.advance(1)
      await settle()
      expect(world.calls).toHaveLength(before + 1)
    }
    world.answer = async () => {}
    clock.advance(60_000)
    await settle()
    expect(await notices.status()).toEqual({ unanswered: 0, lastError: null })
    expect(clock.pending()).toBe(0)
  })

  test('behavior: a call that times out is aborted and fails', async () => {
    const { world, clock, notices, tell } = parts
    const fill = exampleFill()
    world.chain.set(fill.hash, fill)
    const signals: AbortSignal[] = []
    world.answer = (_notice, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    tell(filledStatus(1, fill))
    await until(() => signals.length === 1)
    clock.advance(29_999)
    await settle()
    expect(signals[0]?.aborted).toBe(false)
    clock.advance(1)
    await settle()
    expect(signals[0]?.aborted).toBe(true)
    expect(await notices.status()).toEqual({ unanswered: 1, lastError: 'The hook took longer than 30 s.' })
    world.answer = async () => {}
  })

  test('behavior: reports a reverted fill with the same id, once the node has removed it', async () => {
    const { world, clock, notices, tell } = parts
    const fill = exampleFill()
    world.chain.set(fill.hash, fill)
    tell(filledStatus(1, fill))
    await until(() => world.calls.length === 1)
    tell(otherStatus(2, fill.hash))
    await settle()
    expect(world.calls).toHaveLength(1)
    expect((await notices.status()).lastError).toMatch(/still has it/)
    world.chain.delete(fill.hash)
    clock.advance(1_000)
    await until(() => world.calls.length === 2)
    expect(world.calls[1]).toEqual({ ...world.calls[0], event: 'reverted' })
    const again = exampleFill({ block: 102n, positionId: 8n, transactionHash: bytesOf(9_001) })
    world.chain.set(fill.hash, again)
    tell(filledStatus(3, again))
    await until(() => world.calls.length === 3)
    expect(world.calls[2]).toMatchObject({ id: fill.hash, event: 'filled', positionId: '8', block: 102 })
  })

  test('behavior: with `final`, notifies as soon as the block is final', async () => {
    const { world, notices, tell } = await startOther({ when: 'final' })
    const fill = exampleFill()
    world.chain.set(fill.hash, fill)
    tell(filledStatus(1, fill))
    await settle()
    expect(world.calls).toEqual([])
    expect(await notices.status()).toEqual({ unanswered: 0, lastError: null })
    tell(filledStatus(2, fill, true))
    await until(() => world.calls.length === 1)
    expect(world.calls[0]).toMatchObject({ event: 'filled', final: true })
  })

  test('behavior: without a hook fills are logged, and a later hook does not receive them', async () => {
    const { tell, logged, store } = await startOther({ hasHook: false })
    tell(filledStatus(1, exampleFill()), otherStatus(2, bytesOf(1)))
    await until(() => logged.length === 2)
    expect(logged.map(({ message }) => message)).toEqual(['filled', 'a fill was reverted by a reorganisation'])
    expect(await store.countUnansweredFills('filled')).toBe(0)
    expect(await parts.notices.status()).toEqual({ unanswered: 0, lastError: null })
  })

  test('behavior: retries a failed status update and keeps the order', async () => {
    const { world, clock, tell } = parts
    world.isDiskFull = true
    tell(filledStatus(1, exampleFill()), otherStatus(2, bytesOf(2), 'cancelled'))
    await settle()
    expect(await parts.store.findStatusSeq(url)).toBe(0)
    world.isDiskFull = false
    clock.advance(1_000)
    await settle()
    expect(await parts.store.findStatusSeq(url)).toBe(2)
    expect(await parts.store.countUnansweredFills('filled')).toBe(1)
  })

  test('behavior: an update that was not stored before shutdown blocks later ones', async () => {
    const { world, notices, tell } = parts
    world.isDiskFull = true
    tell(filledStatus(1, exampleFill()), otherStatus(2, bytesOf(2), 'cancelled'))
    await settle()
    const stopped = notices.stop()
    world.isDiskFull = false
    await stopped
    expect(await parts.store.findStatusSeq(url)).toBe(0)
  })

  test('behavior: a new change of a fill skips the retry delay', async () => {
    const { world, clock, tell } = parts
    const fill = exampleFill()
    tell(filledStatus(1, fill))
    await settle()
    for (const milliseconds of [1_000, 2_000, 4_000]) {
      clock.advance(milliseconds)
      await settle()
    }
    const again = { ...fill, block: 101n }
    world.chain.set(fill.hash, again)
    tell(filledStatus(2, again))
    await until(() => world.calls.length === 1)
    expect(world.calls[0]).toMatchObject({ block: 101 })
  })

  test('behavior: stop waits 5 s for a running call and then aborts it', async () => {
    const { world, clock, notices, tell } = parts
    const fill = exampleFill()
    world.chain.set(fill.hash, fill)
    let isAborted = false
    world.answer = (_notice, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(new HookError('Ended.'))
        })
      })
    tell(filledStatus(1, fill))
    await until(() => world.calls.length === 1)
    let hasStopped = false
    const stopping = notices.stop().then(() => {
      hasStopped = true
    })
    clock.advance(4_999)
    await settle()
    expect({ isAborted, hasStopped }).toEqual({ isAborted: false, hasStopped: false })
    clock.advance(1)
    await stopping
    expect(isAborted).toBe(true)
    tell(filledStatus(2, exampleFill({ hash: bytesOf(2) })))
    await settle()
    expect(await parts.store.findStatusSeq(url)).toBe(1)
    world.answer = async () => {}
    await parts.restart()
    await until(() => world.calls.length === 2)
    expect(world.calls[1]).toEqual(world.calls[0])
  })

  test.each([
    ['no number of a status', { seq: -1 }],
    ['no number of a block', { block: 1.5 }],
  ])('error: %s is left out', async (_what, changes) => {
    parts.tell({ ...filledStatus(1, exampleFill()), ...changes })
    await settle()
    expect(await parts.store.findStatusSeq(url)).toBe(0)
  })
})

/**
 * One event: a quote is filled (possibly in another block), a fill is reverted, the hook starts or stops failing, the
 * process is killed, or time passes.
 */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      quote: fc.integer({ min: 1, max: 4 }),
      block: fc.integer({ min: 100, max: 103 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('revert' as const), quote: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fails' as const), fails: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turns' as const), turns: fc.integer({ min: 0, max: 12 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('time' as const), milliseconds: fc.constantFrom(500, 2_000, 70_000) }),
  },
)
const least = { fill: 80, revert: 20, kill: 40, failed: 20, filled: 80, reverted: 10 }

test('behavior: for random events, a hook that deduplicates by id converges to the chain', async () => {
  await playUntilMet(least, (seed, met) =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
        const life = await startNotices()
        const { world, clock } = life
        /** Hedges that a maker would place: one per ID, even if a notice arrives twice. */
        const hedges = new Map<Hex, string>()
        let fails = false
        world.answer = async ({ id, event, block, transactionHash }) => {
          met(event)
          // The hook may fail after it has done its work.
          if (event === 'filled') hedges.set(id, `${block} ${transactionHash}`)
          else hedges.delete(id)
          if (!fails) return
          met('failed')
          throw new HookError('No.')
        }
        let seq = 0
        /** Updates sent by the service. After a kill, the service replays the updates that were not stored. */
        const told: Parameters<FillNotices['receive']>[1][] = []
        const tell = (status: Parameters<FillNotices['receive']>[1]) => {
          told.push(status)
          life.tell(status)
        }
        for (const given of steps) {
          if (given.do === 'fill') {
            const hash = bytesOf(given.quote)
            const fill = exampleFill({ hash, block: BigInt(given.block), transactionHash: bytesOf(1_000 + ++seq) })
            met('fill')
            world.chain.set(hash, fill)
            tell(filledStatus(seq, fill))
          } else if (given.do === 'revert') {
            const hash = bytesOf(given.quote)
            if (!world.chain.delete(hash)) continue
            met('revert')
            tell(otherStatus(++seq, hash))
          } else if (given.do === 'kill') {
            met('kill')
            await life.restart()
            const stored = await life.store.findStatusSeq(url)
            life.tell(...told.filter((status) => status.seq > stored))
          } else if (given.do === 'fails') fails = given.fails
          else if (given.do === 'time') clock.advance(given.milliseconds)
          else for (let turn = 0; turn < given.turns; turn++) await new Promise((resolve) => setImmediate(resolve))
        }
        fails = false
        for (let rounds = 0; rounds < 4; rounds++) {
          await settle()
          clock.advance(61_000)
        }
        await settle()
        expect(await life.notices.status()).toEqual({ unanswered: 0, lastError: null })
        const truth = [...world.chain].map(([hash, fill]) => [hash, `${fill.block} ${fill.transactionHash}`])
        expect([...hedges].sort()).toEqual(truth.sort())
        await life.end()
      }),
      { seed, numRuns: 30 },
    ),
  )
}, 120_000)
