// Several instances sync one chain to one store. Long because the random histories share a fixture with the other
// tests.
import { randomBytes } from 'node:crypto'
import { ChainUnavailableError } from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { createMadeUpChain } from '../../../test/madeUpChain.ts'
import { createRandomInteger } from '../../../test/randomQuotes.ts'
import { testDomain } from '../../../test/scriptedService.ts'
import { makerOf, newQuote, now } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Store } from '../../ports/store.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import type { SyncSettings } from '../serviceDeps.ts'
import { createSync, type Sync } from './sync.ts'

const intervalMs = 1_000
const leaseMs = intervalMs + 3_000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

let store: Store
let clock: FakeClock
let world: ReturnType<typeof createMadeUpChain>
let lease: ReturnType<typeof createSharedLease>
const running: Sync[] = []
beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:', writesHere: true })
  clock = createFakeClock(Number(now) * 1_000)
  world = createMadeUpChain(() => 0)
  lease = createSharedLease(clock.monotonic)
})
afterEach(async () => {
  for (const sync of running.splice(0)) await sync.stop()
  await store.close()
})

/**
 * Enforces the lease for stores that grant it to everyone: only one holder at a time, according to `now` in
 * milliseconds.
 */
function createSharedLease(now: () => number) {
  let lease: { holder: string; until: number } | null = null
  const holder = () => (lease && lease.until > now() ? lease.holder : null)
  const holdLease: Store['holdLease'] = async (by, milliseconds) => {
    if ((holder() ?? by) !== by) return false
    lease = { holder: by, until: now() + milliseconds }
    return true
  }
  return { holder, share: (given: Store): Store => ({ ...given, holdLease }) }
}

/** An instance with its own node, which may fail, lack the newest blocks or follow another branch. */
function startInstance(given: { settings?: Partial<SyncSettings>; store?: Store } = {}) {
  const node = { fails: false, behind: 0, world, reads: 0 }
  const ask = <T>(read: (chain: Chain) => Promise<T>) =>
    node.fails ? Promise.reject(new ChainUnavailableError('The node did not answer.')) : read(node.world.chain)
  const chain: Chain = {
    ...world.chain,
    pin: () => chain,
    readHead: () =>
      ask(async ({ readBlocks }) => {
        const [head] = await readBlocks([BigInt(Math.max(0, node.world.height() - node.behind))])
        if (!head) throw new RangeError('There is no such block.')
        return head
      }),
    readBlocks: (numbers) => ask(({ readBlocks }) => readBlocks(numbers)),
    readEvents: (range) => {
      node.reads += 1
      return ask(({ readEvents }) => readEvents(range))
    },
  }
  const sync = createSync({
    chain,
    clock,
    store: lease.share(given.store ?? store),
    random: randomBytes,
    domain: testDomain,
    interestRatePool: makerOf(901),
    log: silent,
    sync: {
      deployBlock: 0,
      intervalMs,
      headDegradedSeconds: 30,
      headStaleSeconds: 120,
      ...given.settings,
    },
  })
  running.push(sync)
  return { sync, node }
}

const settle = async () => {
  for (let turns = 0; turns < 30; turns += 1) await yieldToEventLoop()
}

/** Advances time by this many polling intervals. Mines a block before each poll unless `mine` is false. */
const polls = async (count: number, mine = true) => {
  for (let left = count; left > 0; left -= 1) {
    if (mine) world.mine()
    clock.advance(intervalMs)
    await settle()
  }
}

const cursor = async () => Number((await store.findSyncPosition()).cursor?.number ?? -1)

/** Starts two polling instances. The first has the lease. */
async function startTwo() {
  const [first, second] = [startInstance(), startInstance()]
  for (const { sync } of [first, second]) {
    sync.start()
    await settle()
  }
  return { first, second }
}

describe('two instances', () => {
  test('default: one reads and writes; the other uses the store', async () => {
    const { first, second } = await startTwo()
    await polls(5)
    await polls(1, false)
    expect([first.sync.leads(), second.sync.leads(), second.node.reads]).toEqual([true, false, 0])
    const { head, synced, state, lagSeconds } = second.sync.status()
    expect([head?.number, synced?.number, state]).toEqual([5n, 5n, 'ok'])
    expect(lagSeconds).toBe(first.sync.status().lagSeconds)
    expect(await cursor()).toBe(5)
  })

  test('behavior: an empty store is not complete for the waiting instance', async () => {
    const second = startInstance({ settings: { readSingly: 2 } })
    await lease.share(store).holdLease('another', 60_000, 0)
    for (let count = 0; count < 9; count += 1) world.mine()
    second.sync.start()
    await settle()
    expect([second.sync.status().state, second.node.reads]).toEqual(['starting', 0])
  })

  test('behavior: a starting instance does not wait for the lease of a process that has exited', async () => {
    await lease.share(store).holdLease('another', 60_000, 0)
    world.mine()
    const next = startInstance()
    next.sync.start()
    await settle()
    expect([next.sync.status().state, next.sync.leads()]).toEqual(['ok', false])
  })

  test("behavior: when the holder's node fails, the other takes over at its next poll", async () => {
    const { first, second } = await startTwo()
    await polls(1)
    first.node.fails = true
    await polls(2)
    expect([await cursor(), first.sync.leads(), second.sync.leads()]).toEqual([3, false, true])
    first.node.fails = false
    await polls(3)
    expect([await cursor(), first.sync.leads(), first.sync.status().state]).toEqual([6, false, 'ok'])
  })

  test('behavior: the lease of a holder that is gone expires', async () => {
    const { first, second } = await startTwo()
    await polls(1)
    const leaseHeld = lease.holder()
    // The process is killed before it can release the lease.
    const { stop } = first.sync
    running.splice(running.indexOf(first.sync), 1)
    void stop
    first.node.world = { ...world, chain: { ...world.chain, readBlocks: () => new Promise(() => {}) } }
    await polls(leaseMs / intervalMs - 2)
    expect([await cursor(), lease.holder()]).toEqual([1, leaseHeld])
    await polls(3)
    expect([await cursor(), second.sync.leads()]).toEqual([world.height(), true])
  })

  test('behavior: a stopping instance releases the lease immediately', async () => {
    const { first, second } = await startTwo()
    await polls(1)
    await first.sync.stop()
    expect(lease.holder()).toBe(null)
    await polls(1)
    expect([await cursor(), second.sync.leads()]).toEqual([2, true])
  })

  test("behavior: when the holder's node stalls, the other adds the missing blocks and gets the lease", async () => {
    const { first, second } = await startTwo()
    await polls(1)
    for (let count = 1; count <= 4; count += 1) {
      first.node.behind += 1
      await polls(1)
    }
    expect([await cursor(), second.node.reads]).toEqual([1, 0])
    first.node.behind += 1
    await polls(1)
    expect(await cursor()).toBe(6)
    for (let count = 1; count <= 4; count += 1) {
      first.node.behind += 1
      await polls(1)
    }
    expect([await cursor(), second.sync.leads()]).toEqual([world.height(), true])
    expect(first.sync.status()).toMatchObject({ failing: true, state: 'degraded' })
  })
})

describe('an instance without the lease', () => {
  test("behavior: it is failing after three polls of a node that lacks the store's blocks", async () => {
    const { first, second } = await startTwo()
    await polls(3)
    second.node.behind = 2
    // At the second poll, the store is ahead of the node for the first time.
    await polls(3, false)
    expect(second.sync.status()).toMatchObject({ failing: true, state: 'degraded', head: { number: 1n } })
    expect(first.sync.status()).toMatchObject({ failing: false, state: 'ok' })
    second.node.behind = 0
    await polls(1)
    expect(second.sync.status()).toMatchObject({ failing: false, state: 'ok' })
  })

  test('behavior: it is failing with a node on another branch, and undoes nothing', async () => {
    const { second } = await startTwo()
    await polls(3)
    const branch = createMadeUpChain(() => 0)
    branch.mine()
    branch.mine()
    branch.reorganise(1)
    for (let count = 0; count < 20; count += 1) branch.mine()
    second.node.world = branch
    await polls(3)
    expect(second.sync.status()).toMatchObject({ failing: true, state: 'degraded' })
    await second.sync.cycle()
    const { cursor: held } = await store.findSyncPosition()
    expect(held?.hash).toBe(world.hashAt(6))
  })

  test('behavior: a requested cycle adds blocks near the head, but no long catch-up', async () => {
    const { second } = await startTwo()
    await polls(1)
    world.mine()
    await second.sync.cycle()
    expect([await cursor(), second.sync.leads(), second.node.reads]).toEqual([2, false, 1])
    const third = startInstance({ settings: { readSingly: 2 } })
    for (let count = 0; count < 4; count += 1) world.mine()
    await third.sync.cycle()
    expect([await cursor(), third.node.reads]).toEqual([2, 0])
    await polls(1, false)
    world.mine()
    await third.sync.cycle()
    expect([await cursor(), third.node.reads]).toEqual([7, 1])
  })

  test('behavior: a cycle that is requested during a poll adds blocks too', async () => {
    const { second } = await startTwo()
    await polls(1)
    world.mine()
    const { promise: gate, resolve: release } = createDeferred()
    const { chain } = world
    second.node.world = {
      ...world,
      chain: { ...chain, readBlocks: (numbers) => gate.then(() => chain.readBlocks(numbers)) },
    }
    const { node } = second
    // Only the second instance reads now; the first reads the same block later.
    const asked = second.sync.cycle()
    release()
    await asked
    expect([await cursor(), node.reads]).toEqual([2, 1])
  })
})

/**
 * Delays each call from an instance to its node or the store, and then its response, until released.
 */
function createPauses() {
  const waiting: (() => void)[] = []
  const pause = () => new Promise<void>((resolve) => waiting.push(resolve))
  const paused =
    <Given extends unknown[], Answer>(run: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await pause()
      const answer = await run(...given)
      await pause()
      return answer
    }
  const wrap = <T extends object>(methods: T, names: readonly (keyof T)[]): T => ({
    ...methods,
    ...Object.fromEntries(names.map((name) => [name, paused(methods[name] as never)])),
  })
  return { wrap, count: () => waiting.length, go: (index: number) => waiting.splice(index, 1)[0]?.() }
}

/** Runs three instances, paused at every await, through reorganisations and lease expiries at any moment. */
async function playPauses(seed: number, given: (store: Store) => Store = (whole) => whole) {
  const random = createRandomInteger(seed)
  const chain = createMadeUpChain(random)
  const kept = await createSqliteStore({ file: ':memory:', writesHere: true })
  const quotes = Array.from({ length: 24 }, (_, index) =>
    newQuote(index + 1, { maker: makerOf(index % 4) as Address, notional: BigInt(index + 1) }),
  )
  for (const quote of quotes) await kept.insertQuote(quote)
  let time = 0
  const shared = createSharedLease(() => time)
  const reached = { writes: 0, late: 0, reorganisations: 0, checks: 0 }
  const unexpected: string[] = []
  const instances = [1, 2, 3].map(() => {
    const pauses = createPauses()
    const counted: Store = {
      ...kept,
      async applyBlocks(update) {
        const { cursor: held } = await kept.findSyncPosition()
        reached[held?.hash === update.after?.hash ? 'writes' : 'late'] += 1
        return given(kept).applyBlocks(update)
      },
      async rollBack(undoing) {
        const { cursor: held } = await kept.findSyncPosition()
        reached[held?.hash === undoing.from?.hash ? 'writes' : 'late'] += 1
        return given(kept).rollBack(undoing)
      },
    }
    const sync = createSync({
      chain: pauses.wrap(chain.chain, ['readHead', 'readBlocks', 'readEvents', 'readChainId', 'readFinalized']),
      store: pauses.wrap(shared.share(counted), ['holdLease', 'findSyncPosition', 'applyBlocks', 'rollBack']),
      clock: createFakeClock(Number(now) * 1_000),
      random: randomBytes,
      domain: testDomain,
      interestRatePool: makerOf(901),
      log: silent,
      sync: { deployBlock: 0, reorgWindow: 6, intervalMs, headDegradedSeconds: 1e9, headStaleSeconds: 1e9 },
    })
    return { sync, pauses, cycle: null as Promise<void> | null }
  })

  /** Checks that the store matches the chain at its cursor, if the cursor is still on the chain. */
  const check = async () => {
    expect([seed, unexpected]).toEqual([seed, []])
    const { cursor: held } = await kept.findSyncPosition()
    if (!held || chain.hashAt(Number(held.number)) !== held.hash) return
    reached.checks += 1
    for (const quote of quotes) {
      const status = chain.statusOf(quote, Number(held.number))
      expect([seed, quote.hash, (await kept.findQuote(quote.hash))?.status]).toEqual([seed, quote.hash, status])
    }
  }

  const goOn = async (instance: (typeof instances)[number]) => {
    instance.cycle ??= instance.sync
      .cycle()
      .catch((error: unknown) => {
        if (!(error instanceof ChainUnavailableError)) unexpected.push(String(error))
      })
      .finally(() => {
        instance.cycle = null
      })
    await Promise.resolve()
    instance.pauses.go(0)
    await yieldToEventLoop()
  }

  for (let step = 0; step < 400; step += 1) {
    time += random(1_500)
    if (random(6) === 0) {
      const calls = Array.from({ length: random(3) }, () => {
        const { hash, quote } = quotes[random(quotes.length)] as (typeof quotes)[0]
        return random(2) === 0 ? { do: 'take' as const, hash, quote } : { do: 'cancel' as const, hash, quote }
      })
      chain.mine([calls])
    }
    if (random(25) === 0) {
      chain.reorganise(1 + random(5))
      reached.reorganisations += 1
    }
    await goOn(instances[random(instances.length)] as (typeof instances)[number])
    if (step % 10 === 0) await check()
  }
  chain.mine()
  for (let left = 2_000; left > 0; left -= 1) {
    time += 100
    await goOn(instances[left % instances.length] as (typeof instances)[number])
    const { cursor: held } = await kept.findSyncPosition()
    if (held?.hash === chain.hashAt(chain.height())) break
  }
  const { cursor: held } = await kept.findSyncPosition()
  expect([seed, held?.hash]).toEqual([seed, chain.hashAt(chain.height())])
  await check()
  for (const { sync, pauses } of instances) {
    const stopped = sync.stop()
    while (pauses.count() > 0) {
      pauses.go(0)
      await yieldToEventLoop()
    }
    await Promise.race([stopped, settle()])
  }
  await kept.close()
  return reached
}

describe('instances paused at every await', () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

  test('behavior: the store always equals the chain at its cursor', async () => {
    process.stderr.write(`paused instances with SEED=${seed}\n`)
    const reached = { writes: 0, late: 0, reorganisations: 0, checks: 0 }
    for (let history = 0; history < 6; history += 1) {
      const one = await playPauses(seed + history)
      for (const [what, times] of Object.entries(one)) reached[what as keyof typeof reached] += times
    }
    for (const [what, least] of Object.entries({ writes: 25, late: 15, reorganisations: 30, checks: 60 })) {
      expect([seed, what, reached[what as keyof typeof reached] >= least]).toEqual([seed, what, true])
    }
  }, 60_000)

  test('error: without the comparison of the cursor it does not', async () => {
    const heedless = (whole: Store): Store => ({
      ...whole,
      async applyBlocks(update) {
        const { cursor: held } = await whole.findSyncPosition()
        return whole.applyBlocks({ ...update, after: held })
      },
      async rollBack(undoing) {
        const { cursor: held } = await whole.findSyncPosition()
        return whole.rollBack({ ...undoing, from: held })
      },
    })
    let wrong = 0
    for (let history = 0; history < 6 && wrong === 0; history += 1) {
      await playPauses(seed + history, heedless).catch(() => {
        wrong += 1
      })
    }
    expect([seed, wrong]).toEqual([seed, 1])
  }, 60_000)
})
