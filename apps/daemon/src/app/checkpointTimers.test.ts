import { ChainUnavailableError } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, pad, toHex } from 'viem'
import {
  createCheckpointer,
  createExpiringSeries,
  type ExpiringSeries,
  readCheckpointTime,
} from '../../test/app/checkpointers.ts'
import { openPositions } from '../../test/openPositions.ts'
import { createWatch } from '../domain/checkpointTurn.ts'
import { TransactionError } from '../errors.ts'
import type { ChainPosition } from '../ports/positionChain.ts'
import { createCheckpointTimers } from './checkpointTimers.ts'

const maker: Address = pad('0x1', { size: 20 })
const expiry = 1_000
/** Returns different series with this turn. */
function keysOf(turn: number, count = 1): Hex[] {
  const keys = Array.from({ length: 1_000 }, (_, at) => pad(toHex(at), { size: 32 }))
  return keys.filter((key) => createWatch(maker, key, expiry).turn === turn).slice(0, count)
}
const flush = () => new Promise((resolve) => setImmediate(resolve))

/** Timers on a fake chain whose blocks are 2 seconds apart. Transactions land in the next block, unless `lands` is false. */
function create(keys: readonly Hex[], start = 900) {
  const clock = createFakeClock(start * 1_000)
  const world = {
    number: 1n,
    timestamp: start,
    gasPrice: 1n,
    lands: true,
    isStalled: false,
    isDown: false,
    refuses: false,
    isDisabled: false,
    reads: 0,
    taken: new Map<Hex, number>(),
    sent: [] as { keys: readonly Hex[]; at: number; fee: bigint }[],
    pending: [] as Hex[],
    counted: 0,
  }
  const log = createListLog()
  const timers = createCheckpointTimers({
    ...{ maker, clock, log },
    book: { own: () => keys.map((seriesKey) => ({ seriesKey, expiry }) as ChainPosition) },
    maxGasPrice: 10n,
    isDisabled: () => world.isDisabled,
    counts: { checkpointTaken: () => void world.counted++ },
    chain: {
      async readCheckpoints() {
        world.reads += 1
        if (world.isDown) throw new ChainUnavailableError('Failed to read the chain.')
        return { number: world.number, timestamp: world.timestamp, taken: new Set(world.taken.keys()) }
      },
      async observe(observed, fee) {
        world.sent.push({ keys: observed, at: world.timestamp, fee })
        if (world.refuses) throw new TransactionError('The transaction was not sent.')
        if (world.lands) world.pending.push(...observed)
        return pad('0xaa', { size: 32 })
      },
      findCheckpoints: async () => [...world.taken].map(([seriesKey, readAt]) => ({ seriesKey, readAt })),
      readGasFunds: async () => ({ gasPrice: world.gasPrice, balance: 1n, isPending: true }),
    },
  })
  /** Advances to a time in seconds, with a block every 2 seconds. */
  async function advanceTo(end: number): Promise<void> {
    while (clock.now() < end * 1_000) {
      clock.advance(500)
      if (clock.now() % 2_000 === 0 && !world.isStalled) {
        world.number += 1n
        world.timestamp = clock.now() / 1_000
        for (const key of world.pending.splice(0)) {
          if (world.timestamp >= expiry && !world.taken.has(key)) world.taken.set(key, world.timestamp)
        }
      }
      await flush()
    }
  }
  return { world, clock, timers, advanceTo, logged: log.entries }
}

describe('createCheckpointTimers', () => {
  test('default: takes the checkpoint in the first block at or after the expiry', async () => {
    const [seriesKey] = keysOf(0) as [Hex]
    const { world, clock, timers, advanceTo, logged } = create([seriesKey])
    await timers.refresh()
    await advanceTo(984.5)
    expect(world.reads).toBe(1)
    await advanceTo(985)
    expect(world.reads).toBe(2)
    await advanceTo(1_010)
    // Twice the gas price, because the base fee may rise.
    expect(world.sent).toEqual([{ keys: [seriesKey], at: 998, fee: 2n }])
    expect(world.taken.get(seriesKey)).toBe(1_000)
    const transactionHash = pad('0xaa', { size: 32 })
    expect(logged).toEqual([
      { level: 'info', facts: { seriesKey, transactionHash, late: 0 }, message: 'checkpoint taken' },
    ])
    expect(world.counted).toBe(1)
    // Polling has ended.
    expect(clock.pending()).toBe(0)
  })

  test.each([
    [1, 1_002],
    [2, 1_004],
  ])('behavior: turn %d sends that many blocks later, and only if there is no checkpoint', async (turn, readAt) => {
    const keys = keysOf(turn, 2) as [Hex, Hex]
    const { world, timers, advanceTo } = create(keys)
    await timers.refresh()
    await advanceTo(999.5)
    world.taken.set(keys[0], 1_000)
    await advanceTo(1_010)
    expect(world.sent.map((one) => one.keys)).toEqual([[keys[1]]])
    expect(world.taken.get(keys[1])).toBe(readAt)
  })

  test('behavior: series that expire together share transactions, with at most 25 in each', async () => {
    const keys = keysOf(0, 30)
    const { world, timers, advanceTo } = create(keys)
    await timers.refresh()
    await advanceTo(1_010)
    expect(world.sent.map((one) => [one.keys.length, one.at])).toEqual([
      [25, 998],
      [5, 998],
    ])
    expect([...world.taken.values()]).toEqual(keys.map(() => 1_000))
  })

  test('behavior: a restarted daemon takes overdue checkpoints at once, also in its last turn', async () => {
    const keys = keysOf(2)
    const { world, timers, advanceTo, logged } = create(keys, 5_000)
    await timers.refresh()
    await advanceTo(5_004)
    expect(world.sent.map(({ at }) => at)).toEqual([5_000])
    expect(logged).toEqual([expect.objectContaining({ facts: expect.objectContaining({ late: 4_002 }) })])
  })

  test('behavior: after a reading before the expiry, sends again at the next block', async () => {
    const { world, timers, advanceTo } = create(keysOf(0))
    await timers.refresh()
    await advanceTo(986)
    world.isStalled = true
    await advanceTo(995.5)
    world.isStalled = false
    await advanceTo(1_010)
    // The gap of 10 seconds made the next block seem to be after the expiry.
    expect(world.sent.map(({ at }) => at)).toEqual([996, 998])
    expect([...world.taken.values()]).toEqual([1_000])
  })

  test('behavior: sends nothing above the gas price limit, and never pays more', async () => {
    const { world, timers, advanceTo, logged } = create(keysOf(0))
    world.gasPrice = 11n
    await timers.refresh()
    await advanceTo(1_001.5)
    expect(world.sent).toEqual([])
    expect(logged.map(({ message }) => message)).toEqual(['gas price too high to take checkpoints'])
    world.gasPrice = 10n
    await advanceTo(1_006)
    expect(world.sent.map(({ fee }) => fee)).toEqual([10n])
    expect(world.taken.size).toBe(1)
  })

  test('error: a failed send is repeated at the next block, and reported once', async () => {
    const { world, timers, advanceTo, logged } = create(keysOf(0))
    world.refuses = true
    await timers.refresh()
    await advanceTo(1_001.5)
    world.refuses = false
    await advanceTo(1_010)
    expect(world.sent.map(({ at }) => at)).toEqual([998, 1_000, 1_002])
    expect([...world.taken.values()]).toEqual([1_004])
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('error: a failed read delays nothing beyond the next poll', async () => {
    const { world, timers, advanceTo } = create(keysOf(0))
    await timers.refresh()
    world.isDown = true
    await advanceTo(998)
    world.isDown = false
    await advanceTo(1_010)
    expect([...world.taken.values()]).toEqual([1_000])
    world.isDown = true
    await expect(timers.refresh()).rejects.toThrow(ChainUnavailableError)
  })

  test('error: transactions without an effect are bounded, while polling and in total', async () => {
    const { world, timers, advanceTo, logged } = create(keysOf(0))
    world.lands = false
    await timers.refresh()
    await advanceTo(1_100)
    expect(world.sent.map(({ at }) => at)).toEqual([998, 1_000, 1_002, 1_004, 1_006])
    for (let now = 1_102; now <= 1_200; now += 2) {
      await advanceTo(now)
      await timers.refresh()
    }
    expect(world.sent).toHaveLength(20)
    expect(logged.map(({ message }) => message)).toEqual(['checkpoint still missing after several transactions'])
  })

  test('error: polls are bounded while the chain stands still', async () => {
    const { world, clock, timers } = create(keysOf(0), 990)
    await timers.refresh()
    for (let polls = 0; polls < 1_000; polls++) {
      clock.advance(500)
      await flush()
    }
    expect(world.reads).toBe(121)
    expect(clock.pending()).toBe(0)
  })

  test('behavior: sends nothing while disabled, and after a stop', async () => {
    const [disabled, stopped] = [create(keysOf(0)), create(keysOf(0))]
    await Promise.all([disabled.timers.refresh(), stopped.timers.refresh()])
    disabled.world.isDisabled = true
    await stopped.timers.stop()
    expect(stopped.clock.pending()).toBe(0)
    await stopped.timers.refresh()
    for (const { advanceTo } of [disabled, stopped]) await advanceTo(1_010)
    expect([disabled.world.sent, stopped.world.sent]).toEqual([[], []])
  })
})

describe('checkpoint timers on the devnet', () => {
  let devnet: Devnet
  beforeEach(async () => {
    devnet = await startDevnet()
  }, 60_000)
  afterEach(() => devnet?.stop())

  async function mineAt(timestamp: number): Promise<void> {
    await devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await devnet.testClient.mine({ blocks: 1 })
  }

  test('default: the lowest turn of the survivors takes each checkpoint, within two blocks', async () => {
    const start = Number((await devnet.publicClient.getBlock()).timestamp) + 10_000
    const series = await createExpiringSeries(devnet, [start, start + 101, start + 200])
    await devnet.testClient.setAutomine(false)
    for (const [killed, { seriesKey, expiry }] of series.entries()) {
      // The first block after an expiry at an odd second is a second late.
      const firstBlock = expiry + (expiry % 2)
      await mineAt(firstBlock - 20)
      const daemons = ([0, 1, 2] as const).map((index) => createCheckpointer(devnet, index, createFakeClock()))
      await Promise.all(daemons.map(({ book }) => book.refresh()))
      let alive = daemons
      for (let time = firstBlock - 18; time <= firstBlock + 4; time += 2) {
        await mineAt(time)
        if (time === firstBlock - 4) alive = daemons.filter((_, index) => index !== killed)
        await Promise.all(alive.map(({ timers }) => timers.refresh()))
      }
      const turns = alive.map(({ maker }) => createWatch(maker, seriesKey, expiry).turn)
      const turn = Math.min(...turns)
      expect(await readCheckpointTime(devnet, seriesKey)).toBe(firstBlock + 2 * turn)
      await mineAt(firstBlock + 6)
      await Promise.all(alive.map(({ timers }) => timers.refresh()))
      const logs = alive.map(({ logged }) => logged.filter(({ facts }) => facts['seriesKey'] === seriesKey))
      // If two daemons have the same turn, the later transaction of the block has no effect.
      expect(logs.flat()).toHaveLength(1)
      expect(logs.flat()[0]).toMatchObject({
        message: 'checkpoint taken',
        facts: { late: firstBlock + 2 * turn - expiry },
      })
      expect(turns[logs.findIndex(({ length }) => length === 1)]).toBe(turn)
    }
  }, 60_000)

  test('behavior: does not wait for a pending transaction of the account', async () => {
    const { publicClient, testClient, walletClient, backers } = devnet
    const expiry = Number((await publicClient.getBlock()).timestamp) + 10_000
    const [{ seriesKey }] = (await createExpiringSeries(devnet, [expiry])) as [ExpiringSeries]
    await testClient.setAutomine(false)
    await mineAt(expiry)
    const { book, timers } = createCheckpointer(devnet, 0, createFakeClock())
    await book.refresh()
    await mineAt(expiry + 10)
    await walletClient(backers[0]).sendTransaction({ to: backers[0].address, value: 1n })
    await timers.refresh()
    await mineAt(expiry + 12)
    expect((await publicClient.getBlock()).transactions).toHaveLength(2)
    expect(await readCheckpointTime(devnet, seriesKey)).toBe(expiry + 12)
  }, 60_000)

  test('behavior: a checkpoint on Morpho takes less than a third of the gas limit', async () => {
    const [pool] = devnet.pools
    const { seriesKey, expiry } = pool.series[0] as ExpiringSeries
    const { chain } = createCheckpointer(devnet, 0, createFakeClock())
    const parties = { maker: devnet.backers[0].address, borrower: devnet.borrowers[0].address }
    await openPositions(devnet, { ...pool, seriesKey, loanToken: devnet.contracts.loanToken }, [parties])
    await devnet.testClient.setAutomine(false)
    const gas: bigint[] = []
    for (const time of [expiry - 1, expiry, expiry + 1]) {
      const hash = await chain.observe([seriesKey], 10n ** 11n)
      await mineAt(time)
      gas.push((await devnet.publicClient.getTransactionReceipt({ hash })).gasUsed)
      const created = time === expiry ? [{ seriesKey, readAt: expiry }] : []
      expect(await chain.findCheckpoints(hash)).toEqual(created)
    }
    process.stdout.write(`gas: reading ${gas[0]}, checkpoint ${gas[1]}, without effect ${gas[2]}\n`)
    for (const used of gas) expect(used).toBeLessThan(400_000n / 3n)
    expect(await readCheckpointTime(devnet, seriesKey)).toBe(expiry)
  }, 60_000)
})
