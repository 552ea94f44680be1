import type { Devnet } from '@firmquote/devnet'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, numberToHex } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { signedQuote } from '../../../test/realService.ts'
import { type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import { createSyncFixture, syncFromScratch } from '../../../test/syncFixture.ts'
import { testSyncHistories } from '../../../test/testSyncHistories.ts'

let chain: ReturnType<typeof createChainDriver>
let base: Hex
let node: RpcProxy
const open: { close(): Promise<void> }[] = []

useDevnet(async () => {
  chain = createChainDriver(devnet)
})
beforeEach(async () => {
  base = await chain.snapshot()
  node = await startRpcProxy(devnet.rpcUrl)
})
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close()
  await node.close()
  await chain.revert(base)
})

async function benchOf(...[options]: Parameters<typeof createSyncFixture> extends [Devnet, (infer T)?] ? [T?] : never) {
  const bench = await createSyncFixture(devnet, { rpcUrl: node.url, ...options })
  open.push(bench)
  return bench
}

const quotesOf = async (count: number) =>
  Promise.all(Array.from({ length: count }, () => signedQuote(devnet, devnet.backers[0])))

describe('a first sync', () => {
  test('default', async () => {
    const bench = await benchOf()
    expect(bench.sync.status()).toEqual({
      head: null,
      synced: null,
      lagSeconds: null,
      failing: false,
      disagrees: false,
      state: 'starting',
    })
    await bench.sync.cycle()
    const { number, hash, timestamp } = await devnet.publicClient.getBlock()
    expect(bench.sync.status()).toMatchObject({ head: { number, hash }, synced: { number, hash, timestamp } })
    expect(bench.sync.status().state).not.toBe('starting')
    expect((await bench.store.listPools()).map(({ poolId }) => poolId)).toEqual(
      devnet.pools.map(({ poolId }) => poolId),
    )
    for (const { poolId, series } of devnet.pools) {
      expect(await bench.store.listSeries(poolId)).toEqual(
        series.map((item) => ({ poolId, ...item, cap: expect.any(BigInt) })),
      )
    }
    node.calls.length = 0
    await bench.sync.cycle()
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber'])
  })

  test('behavior: a position is open from the take to the settlement', async () => {
    const bench = await benchOf()
    const [{ poolId }] = devnet.pools
    const expiry = (await chain.timestamp()) + 600
    await chain.createSeries(poolId, expiry)
    await bench.sync.cycle()
    const [series] = await bench.store.listSeries(poolId)
    const quote = await signedQuote(devnet, devnet.backers[0], { seriesKey: series?.seriesKey ?? '0x' })
    await chain.take(devnet.borrowers[0], quote)
    await bench.sync.cycle()
    const { maker, notional, vrtAmount: cost, seriesKey } = quote
    const open = await bench.store.listOpenPositions(maker)
    expect(open).toEqual([
      {
        positionId: expect.any(BigInt),
        maker,
        borrower: devnet.borrowers[0].address,
        poolId,
        seriesKey,
        notional,
        cost,
        index: expect.any(BigInt),
        openedAtBlock: BigInt(await chain.height()),
        expiry,
      },
    ])
    expect(await bench.store.listOpenPositions(devnet.borrowers[0].address)).toEqual(open)
    await chain.rpc('evm_setNextBlockTimestamp', [expiry + 1])
    await chain.settle(open[0]?.positionId ?? 0n)
    await bench.sync.cycle()
    expect(await bench.store.listOpenPositions(maker)).toEqual([])
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
  })

  test('behavior: a long one reads only the events of old blocks, and logs its progress', async () => {
    await chain.mine(400)
    await chain.createSeries(devnet.pools[0].poolId, 3_000_000_000)
    const bench = await benchOf({ logWindow: 20, settings: { readSingly: 50 } })
    node.interfere = ({ method }) => {
      if (method === 'eth_getLogs') bench.clock.advance(1_000)
      return undefined
    }
    await bench.sync.cycle()
    expect(node.calls.filter(({ method }) => method === 'eth_getBlockByNumber').length).toBeLessThan(200)
    expect(bench.messages.filter((message) => message === 'syncing the chain').length).toBeGreaterThan(3)
    expect(bench.messages.at(-1)).toBe('chain synced')
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
  })

  test('behavior: polls until it is stopped', async () => {
    const bench = await benchOf()
    bench.sync.start()
    await bench.sync.cycle()
    node.interfere = () => ({ status: 500 })
    await expect(bench.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    node.interfere = () => undefined
    await bench.sync.stop()
    node.calls.length = 0
    bench.clock.advance(60_000)
    expect(node.calls).toEqual([])
  })
})

describe('status', () => {
  test('behavior: one failed poll that began 2.5 seconds ago degrades it', async () => {
    const bench = await benchOf()
    const { timestamp } = await devnet.publicClient.getBlock()
    bench.clock.jump(Number(timestamp) * 1_000 - bench.clock.now())
    await bench.sync.cycle()
    node.interfere = () => ({ status: 400 })
    bench.sync.start()
    await expect(bench.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await new Promise<void>((resolve) => setImmediate(resolve))
    await bench.sync.stop()
    bench.clock.advance(2_499)
    expect(bench.sync.status()).toMatchObject({ failing: false, state: 'ok' })
    bench.clock.advance(1)
    expect(bench.sync.status()).toMatchObject({ failing: true, state: 'degraded', disagrees: false })
  })

  test('behavior: three polls that fail in a row degrade it, until a cycle succeeds', async () => {
    const bench = await benchOf()
    // The status depends on the head's age, and the chain's time on the blocks mined by other tests.
    const { timestamp } = await devnet.publicClient.getBlock()
    bench.clock.jump(Number(timestamp) * 1_000 - bench.clock.now())
    await bench.sync.cycle()
    node.interfere = () => ({ status: 500 })
    // Failed cycles requested by a client do not count.
    for (let asked = 0; asked < 5; asked += 1) {
      await expect(bench.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    }
    const seen: unknown[] = []
    for (let failed = 0; failed < 4; failed += 1) {
      const { state, failing } = bench.sync.status()
      seen.push([failed, state, failing])
      if (failed === 0) bench.sync.start()
      else bench.clock.advance(1_000)
      // Shares the poll's cycle.
      await expect(bench.sync.cycle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    expect(seen).toEqual([
      [0, 'ok', false],
      [1, 'ok', false],
      [2, 'ok', false],
      [3, 'degraded', true],
    ])
    node.interfere = () => undefined
    await bench.sync.cycle()
    expect(bench.sync.status()).toMatchObject({ state: 'ok', failing: false })
    await bench.sync.stop()
    expect(bench.messages.filter((message) => message.includes('follow'))).toEqual([
      'failed to follow the chain',
      'resumed following the chain',
    ])
  })

  test('behavior: a clock that lags the chain by more than 30 seconds degrades it and is logged once', async () => {
    const bench = await benchOf()
    const { timestamp } = await devnet.publicClient.getBlock()
    const at = async (seconds: number) => {
      bench.clock.jump((Number(timestamp) + seconds) * 1_000 - bench.clock.now())
      await bench.sync.cycle()
      const { state, lagSeconds } = bench.sync.status()
      return [state, lagSeconds]
    }
    expect(await at(-30)).toEqual(['ok', -30])
    expect(await at(-31)).toEqual(['degraded', -31])
    expect(await at(-40)).toEqual(['degraded', -40])
    expect(await at(0)).toEqual(['ok', 0])
    expect(bench.messages.filter((message) => message.includes('clock'))).toEqual([
      'system clock is behind the chain; correct it',
      'system clock agrees with the chain again',
    ])
  })
})

describe('a reorganisation', () => {
  test.each([1, 2, 64, 65])('behavior: of depth %i', async (depth) => {
    const quotes = await quotesOf(2)
    const bench = await benchOf({ quotes })
    const [maker] = devnet.backers
    const before = await chain.snapshot()
    await (depth === 1 ? chain.raiseNonce(maker) : chain.cancel(maker, quotes[0] as (typeof quotes)[0]))
    if (depth > 1) await chain.raiseNonce(maker)
    if (depth > 2) await chain.createSeries(devnet.pools[0].poolId, 3_000_000_000)
    if (depth > 3) await chain.mine(depth - 3)
    await bench.sync.cycle()
    const ended = await Promise.all(quotes.map(bench.statusOf))
    expect(ended).toEqual(depth === 1 ? ['nonce_raised', 'nonce_raised'] : ['cancelled', 'nonce_raised'])
    await chain.revert(before)
    await chain.mineOther(depth)
    await chain.take(devnet.borrowers[0], quotes[1] as (typeof quotes)[0])
    await bench.sync.cycle()
    expect(await Promise.all(quotes.map(bench.statusOf))).toEqual(['active', 'filled'])
    expect(bench.dump()).toEqual(await syncFromScratch(devnet, { quotes }))
    const deep = bench.messages.some((message) => message.includes('below the retained blocks'))
    expect(deep).toBe(depth > 64)
  })

  test('behavior: deeper than the window: continues from a finalized block', async () => {
    const bench = await benchOf({ settings: { reorgWindow: 3 } })
    await chain.createSeries(devnet.pools[0].poolId, 3_000_000_000)
    const firm = await chain.height()
    await chain.mine(80)
    const before = await chain.snapshot()
    await chain.raiseNonce(devnet.backers[0])
    await chain.mine(9)
    await bench.sync.cycle()
    await chain.revert(before)
    await chain.mineOther(12)
    node.calls.length = 0
    await bench.sync.cycle()
    const ranges = node.calls.filter(({ method }) => method === 'eth_getLogs')
    expect(ranges[0]?.params[0]).toMatchObject({ fromBlock: numberToHex(firm + 1) })
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
  })

  test('behavior: anvil_reorg', async () => {
    const bench = await benchOf()
    await chain.raiseNonce(devnet.backers[1])
    await chain.mine(3)
    await bench.sync.cycle()
    await chain.rpc('anvil_reorg', [4, []])
    await chain.mine(1)
    await bench.sync.cycle()
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
    expect(bench.messages).toContain('chain reorganised')
  })
})

// `sync.trial.ts` runs more of them.
testSyncHistories({ count: 16, seed: Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31)) })

describe('a node with wrong answers', () => {
  test('error: another chain', async () => {
    const bench = await benchOf()
    node.interfere = ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)
    await expect(bench.sync.cycle()).rejects.toThrow('The node is on chain 1, not 8453.')
    expect(await bench.store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
  })

  test('error: events of another block', async () => {
    const bench = await benchOf()
    const logs = await devnet.publicClient.request({
      method: 'eth_getLogs',
      params: [{ address: devnet.contracts.interestRatePool, fromBlock: '0x0', toBlock: 'latest' }],
    })
    const moved = logs.map((log) => ({ ...log, blockHash: keccak256(log.blockHash ?? '0x') }))
    node.interfere = ({ method }) => (method === 'eth_getLogs' ? { result: moved } : undefined)
    await expect(bench.sync.cycle()).rejects.toThrow('events from other blocks')
    node.interfere = ({ method }) => (method === 'eth_getLogs' ? { result: [...logs, ...logs] } : undefined)
    await expect(bench.sync.cycle()).rejects.toThrow('events from other blocks')
    expect(await bench.store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
  })

  test('error: no logs for a block whose bloom filter contradicts that; a single empty answer is corrected', async () => {
    const bench = await benchOf()
    node.interfere = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
    await expect(bench.sync.cycle()).rejects.toThrow('The node omitted events.')
    expect(await bench.store.findSyncPosition()).toEqual({ cursor: null, blocks: [] })
    node.interfere = ({ method, params }) =>
      method === 'eth_getLogs' && 'fromBlock' in (params[0] as object) ? { result: [] } : undefined
    await bench.sync.cycle()
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
  })

  test('behavior: a false positive of the bloom filter is not an event', async () => {
    const bench = await benchOf()
    await bench.sync.cycle()
    // A filter with every bit set matches everything, but the block's logs do not reproduce it.
    const full: Hex = `0x${'ff'.repeat(256)}`
    await chain.mine(1)
    const head = await chain.rpc<Record<string, unknown>>('eth_getBlockByNumber', ['latest', false])
    node.interfere = ({ method }) =>
      method === 'eth_getBlockByNumber' ? { result: { ...head, logsBloom: full } } : undefined
    await expect(bench.sync.cycle()).rejects.toThrow('The node omitted events.')
    node.interfere = () => undefined
    await bench.sync.cycle()
    expect(bench.dump()).toEqual(await syncFromScratch(devnet))
  })

  test('behavior: a lagging node has no effect', async () => {
    const bench = await benchOf()
    await chain.mine(30)
    await bench.sync.cycle()
    const before = bench.dump()
    const old = await chain.rpc('eth_getBlockByNumber', [numberToHex((await chain.height()) - 20), false])
    node.interfere = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { result: old } : undefined
    await bench.sync.cycle()
    expect(bench.dump()).toEqual(before)
  })
})
