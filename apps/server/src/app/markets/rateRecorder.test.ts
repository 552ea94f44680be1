import { interestRatePoolAbi, quoteApr, rateAdapterAbi } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, zeroHash } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import { createRpcClient, createViemChain } from '../../adapters/viemChain/viemChain.ts'
import type { DatedPrice } from '../../domain/fillMedian.ts'
import { hourOf, hourSeconds } from '../../domain/rateHours.ts'
import type { Chain } from '../../ports/chain.ts'
import type { RatePoint } from '../../ports/store.ts'
import { createRateRecorder } from './rateRecorder.ts'

let service: RealService

/** Mines blocks at these offsets, in seconds after the newest block. */
async function mineAt(...seconds: number[]): Promise<void> {
  const { timestamp } = await devnet.publicClient.getBlock()
  for (const after of seconds) {
    await devnet.testClient.setNextBlockTimestamp({ timestamp: timestamp + BigInt(after) })
    await devnet.testClient.mine({ blocks: 1 })
  }
}

useDevnet(async () => {
  // Six hours, most of which have blocks, including one exactly on the hour.
  const { timestamp } = await devnet.publicClient.getBlock()
  const next = hourOf(timestamp) + hourSeconds - Number(timestamp)
  await mineAt(
    next - 1,
    next,
    next + 1_800,
    next + 3_600 + 12,
    next + 4 * 3_600 + 7,
    next + 4 * 3_600 + 9,
    next + 20_000,
  )
})
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

/** Computes the expected points by checking every block in the chain. */
async function truth(keepFrom = 0): Promise<RatePoint[]> {
  const { publicClient, contracts, pools } = devnet
  const head = await publicClient.getBlock()
  const firsts = new Map<number, bigint>()
  for (let number = 0n; number <= head.number; number += 1n) {
    const hour = hourOf((await publicClient.getBlock({ blockNumber: number })).timestamp)
    if (!firsts.has(hour)) firsts.set(hour, number)
  }
  const points: RatePoint[] = []
  for (const [hour, block] of firsts) {
    for (const { poolId, market } of pools) {
      const rate = { address: contracts.morphoAdapter, abi: rateAdapterAbi, functionName: 'ratePerSec' } as const
      const ratePerSec = await publicClient
        .readContract({ ...rate, args: [market], blockNumber: block })
        .catch(() => null)
      if (ratePerSec !== null && hour >= keepFrom) points.push({ poolId, hour, block, ratePerSec })
    }
  }
  return points
}

async function kept(): Promise<RatePoint[]> {
  const all = { from: 0, to: Number.MAX_SAFE_INTEGER, step: hourSeconds }
  return (await Promise.all(devnet.pools.map(({ poolId }) => service.store.listRatePoints({ poolId, ...all })))).flat()
}

const sorted = (points: readonly RatePoint[]) =>
  [...points].sort((a, b) => a.hour - b.hour || a.poolId.localeCompare(b.poolId))

/** A recorder that uses the real node and counts its requests. `change` overrides chain methods. */
function createRecorder({ days = 400, change = {} }: { days?: number; change?: Partial<Chain> } = {}) {
  const { quoteMarket, interestRatePool } = devnet.contracts
  const client = createRpcClient({ rpcUrl: devnet.rpcUrl, timeoutMs: 10_000 })
  const real = createViemChain({ client, quoteMarket, interestRatePool })
  const chain = { ...real, ...change }
  const requests = { blocks: 0, rates: 0 }
  const counted: Chain = {
    ...chain,
    readBlocks(numbers) {
      requests.blocks += 1
      return chain.readBlocks(numbers)
    },
    readRates(request) {
      requests.rates += 1
      return chain.readRates(request)
    },
  }
  const { store, clock, sync } = service
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const recorder = createRateRecorder({ chain: counted, store, clock, log, rateHistoryDays: days }, sync)
  const advance = async (times = 30) => {
    for (let left = times; left > 0; left -= 1) await recorder.advance()
  }
  return { recorder, requests, advance, real }
}

describe('createRateRecorder', () => {
  test('default: the rate at the first block of each hour since the markets were created', async () => {
    const { advance, requests } = createRecorder()
    await advance()
    const points = await kept()
    expect(sorted(points)).toEqual(sorted(await truth()))
    expect(points.length).toBeGreaterThanOrEqual(8)
    expect(new Set(points.map(({ ratePerSec }) => ratePerSec)).size).toBeGreaterThan(4)
    const before = { ...requests }
    await advance()
    expect(requests).toEqual(before)
  })

  test('behavior: a restart reads again only where the history ends', async () => {
    await createRecorder().advance()
    const points = await kept()
    const { advance, requests } = createRecorder()
    await advance()
    expect(requests.rates).toBeLessThanOrEqual(1)
    expect(await kept()).toEqual(points)
  })

  test('behavior: two concurrent recorders store each point once', async () => {
    const [one, two] = [createRecorder(), createRecorder()]
    await Promise.all([one.advance(), two.advance()])
    expect(sorted(await kept())).toEqual(sorted(await truth()))
  })

  test('behavior: a new hour is kept with its first block', async () => {
    const { advance, requests } = createRecorder()
    await advance()
    const before = (await kept()).length
    await mineAt(3_600, 3_700)
    await service.sync.cycle()
    requests.rates = 0
    await advance(1)
    expect(requests.rates).toBe(1)
    expect((await kept()).length).toBe(before + devnet.pools.length)
    expect(sorted(await kept())).toEqual(sorted(await truth()))
  })

  test('behavior: a point from an undone block is replaced', async () => {
    const { advance, recorder } = createRecorder()
    const snapshot = await devnet.testClient.snapshot()
    await mineAt(3_600)
    await service.sync.cycle()
    await advance()
    const undone = await kept()
    await devnet.testClient.revert({ id: snapshot })
    await mineAt(3_700, 3_710)
    await service.sync.cycle()
    // The same transaction removed the block and its points.
    expect((await kept()).length).toBe(undone.length - devnet.pools.length)
    recorder.restart()
    await advance()
    const again = await kept()
    expect(sorted(again)).toEqual(sorted(await truth()))
    expect(again.length).toBe(undone.length)
    expect(again).not.toEqual(undone)
  })

  test('behavior: data read from a block that is undone in the meantime is discarded', async () => {
    const snapshot = await devnet.testClient.snapshot()
    await mineAt(3_600)
    await service.sync.cycle()
    let isUndone = false
    const { advance, real, recorder } = createRecorder({
      change: {
        readRates: async (request) => {
          const rates = await real.readRates(request)
          if (!isUndone) {
            isUndone = true
            await devnet.testClient.revert({ id: snapshot })
            await mineAt(3_900, 3_910)
            await service.sync.cycle()
          }
          return rates
        },
      },
    })
    await advance(1)
    expect(isUndone).toBe(true)
    expect(await kept()).toEqual([])
    recorder.restart()
    await advance()
    expect(sorted(await kept())).toEqual(sorted(await truth()))
  })

  test('behavior: a node without history is queried again once an hour, and the newest hour is recorded', async () => {
    const { publicClient } = devnet
    const head = await publicClient.getBlock()
    const { advance, requests, real } = createRecorder({
      change: {
        readRates: (request) =>
          request.block.timestamp < hourOf(head.timestamp) ? Promise.resolve(null) : real.readRates(request),
      },
    })
    await advance()
    const all = await truth(hourOf(head.timestamp))
    expect(sorted(await kept())).toEqual(sorted(all))
    expect(all).toHaveLength(devnet.pools.length)
    expect(requests.rates).toBe(2)
    service.clock.advance(3_599_000)
    await advance(3)
    expect(requests.rates).toBe(2)
    service.clock.advance(1_000)
    await advance(3)
    expect(requests.rates).toBe(3)
  })

  test('error: a node that does not answer is asked again half a minute later', async () => {
    let isDown = true
    const { advance, requests, real } = createRecorder({
      change: {
        readRates: (request) => (isDown ? Promise.reject(new TypeError('down')) : real.readRates(request)),
      },
    })
    await advance(5)
    expect(requests.rates).toBe(1)
    isDown = false
    service.clock.advance(29_999)
    await advance(5)
    expect(await kept()).toEqual([])
    service.clock.advance(1)
    await advance()
    expect(sorted(await kept())).toEqual(sorted(await truth()))
  })

  test('behavior: a slice makes a bounded number of node requests', async () => {
    const { advance, requests } = createRecorder()
    await advance(1)
    expect(requests.rates).toBeGreaterThan(0)
    // The search for a slice's last block may exceed twelve requests.
    expect(requests.blocks).toBeLessThan(40)
    expect((await kept()).length).toBeLessThan((await truth()).length)
  })

  test('behavior: no hours before the history are stored, and none without a history', async () => {
    const none = createRecorder({ days: 0 })
    await none.advance()
    expect(none.requests).toEqual({ blocks: 0, rates: 0 })
    await mineAt(86_400)
    await service.sync.cycle()
    const { timestamp } = await devnet.publicClient.getBlock()
    await createRecorder({ days: 1 }).advance()
    const points = await kept()
    expect(sorted(points)).toEqual(sorted(await truth(hourOf(timestamp) - 86_400)))
    expect(points.length).toBeGreaterThan(0)
    expect(points.length).toBeLessThan((await truth()).length)
  })

  describe('fills', () => {
    let snapshot: Hex
    beforeEach(async () => {
      snapshot = await devnet.testClient.snapshot()
    })
    afterEach(async () => {
      await devnet.testClient.revert({ id: snapshot })
    })

    /** Takes a backer's quote for 1,000 tUSD at this cost, in its own block. */
    async function fill(cost: bigint): Promise<void> {
      const quote = await signedQuote(devnet, devnet.backers[0], { vrtAmount: cost, deadline: 2n ** 40n })
      expect((await createChainDriver(devnet).take(devnet.borrowers[0], quote)).status).toBe('0x1')
    }
    const days = () => service.store.listFillDays({ poolId: devnet.pools[0].poolId, from: 0, to: 2 ** 40, limit: 100 })
    const untimed = () => service.store.listUndatedFills({ above: -1n, limit: 100 })
    /** Computes the expected days from the contract's positions. */
    async function trueDays(ids: readonly bigint[]) {
      const { publicClient, contracts, pools } = devnet
      const expiry = pools[0].series[1]?.expiry ?? 0
      const byDay = new Map<number, { apr: number; price: DatedPrice }[]>()
      for (const id of ids) {
        const [, , openedAt, , , , notional, cost] = await publicClient.readContract({
          ...{ address: contracts.interestRatePool, abi: interestRatePoolAbi, functionName: 'positions', args: [id] },
        })
        const day = Math.floor(Number(openedAt) / 86_400) * 86_400
        const price = { notional, vrtAmount: cost, at: Number(openedAt) }
        byDay.set(day, [...(byDay.get(day) ?? []), { apr: quoteApr(price, expiry, price.at), price }])
      }
      // A day's fills all have the same notional here, so the median is the middle one.
      return [...byDay].map(([day, fills]) => {
        const sorted = fills.sort((a, b) => a.apr - b.apr)
        const notional = fills.reduce((sum, { price }) => sum + price.notional, 0n)
        return { day, ...sorted[Math.ceil(sorted.length / 2) - 1], notional, count: fills.length }
      })
    }

    test('default: the median of each day, from the times at which the contract opened the positions', async () => {
      for (const cost of [4_000_000n, 0n, 6_000_000n]) await fill(cost)
      await mineAt(86_400)
      for (const cost of [9_000_000n, 8_000_000n]) await fill(cost)
      await service.sync.cycle()
      const { advance, requests } = createRecorder()
      await advance()
      const found = await days()
      expect(found).toMatchObject(await trueDays([1n, 2n, 3n, 4n, 5n]))
      expect(found).toHaveLength(2)
      const before = { ...requests }
      await advance()
      expect(requests).toEqual(before)
    })

    test('behavior: undone fills leave their day, and the fills that replace them are added', async () => {
      await fill(4_000_000n)
      const branch = await devnet.testClient.snapshot()
      await fill(9_000_000n)
      await service.sync.cycle()
      const { advance, recorder } = createRecorder()
      await advance()
      expect(await days()).toMatchObject([{ count: 2 }])
      await devnet.testClient.revert({ id: branch })
      await mineAt(30)
      await fill(6_000_000n)
      await service.sync.cycle()
      expect(await days()).toMatchObject([{ count: 1 }])
      recorder.restart()
      await advance()
      expect(await days()).toMatchObject(await trueDays([1n, 2n]))
    })

    test('behavior: a header of another block does not date a fill', async () => {
      await fill(4_000_000n)
      await service.sync.cycle()
      const { real } = createRecorder()
      const readBlocks: Chain['readBlocks'] = async (numbers) =>
        (await real.readBlocks(numbers)).map((block) => ({ ...block, hash: zeroHash }))
      await createRecorder({ change: { readBlocks } }).advance(3)
      expect([await days(), (await untimed()).length]).toEqual([[], 1])
    })

    test('behavior: a slice reads at most twelve headers, newest first', async () => {
      for (let count = 0; count < 14; count += 1) await fill(4_000_000n)
      await service.sync.cycle()
      const blocks = (await untimed()).map(({ number }) => number)
      const { advance } = createRecorder()
      await advance(1)
      expect((await untimed()).map(({ number }) => number)).toEqual(blocks.slice(12))
      await advance(1)
      expect(await untimed()).toEqual([])
    })

    test('behavior: fills before the history stay undated, and are not read again', async () => {
      await fill(4_000_000n)
      await mineAt(3 * 86_400)
      await fill(6_000_000n)
      await service.sync.cycle()
      const { advance, requests } = createRecorder({ days: 1 })
      await advance()
      expect(await days()).toMatchObject(await trueDays([2n]))
      expect(await untimed()).toHaveLength(1)
      const before = { ...requests }
      await advance()
      expect(requests).toEqual(before)
    })

    test('error: a header that the node lacks does not hold back newer fills, and is read again half a minute later', async () => {
      await fill(4_000_000n)
      const lacking = await devnet.publicClient.getBlockNumber({ cacheTime: 0 })
      await fill(6_000_000n)
      await service.sync.cycle()
      let isDown = true
      const { real } = createRecorder()
      const { advance } = createRecorder({
        change: {
          readBlocks: (numbers) =>
            isDown && numbers.includes(lacking) ? Promise.reject(new TypeError('down')) : real.readBlocks(numbers),
        },
      })
      await advance()
      expect(await days()).toMatchObject(await trueDays([2n]))
      isDown = false
      await advance(3)
      expect(await untimed()).toHaveLength(1)
      service.clock.advance(30_000)
      await advance()
      expect(await days()).toMatchObject(await trueDays([1n, 2n]))
    })
  })
})
