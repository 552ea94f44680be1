import { expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { signedQuote } from '../../../test/realService.ts'
import { type Interference, type RpcCall, type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import { createSyncFixture, syncFromScratch } from '../../../test/syncFixture.ts'

let chain: ReturnType<typeof createChainDriver>
let node: RpcProxy

useDevnet(async () => {
  chain = createChainDriver(devnet)
  node = await startRpcProxy(devnet.rpcUrl)
  return () => node.close()
})

/** Each fault affects the first request to which it applies and 5 % of later ones. */
function createFaults(random: () => number) {
  const counts: Record<string, number> = {}
  const happens = (fault: string) => {
    if (random() >= 0.05 && fault in counts) return false
    counts[fault] = (counts[fault] ?? 0) + 1
    return true
  }
  const interfere = async ({ method, params }: RpcCall): Promise<Interference> => {
    if (happens('time-out')) return new Promise<undefined>(() => {})
    if (happens('429')) return { status: 429 }
    if (happens('5xx')) return { status: 503 }
    if (happens('broken JSON')) return { body: '{"jsonrpc":"2.0","id":1,"resu' }
    if (method === 'eth_chainId' && happens('wrong chain id')) return { result: '0x1' }
    if (method === 'eth_getLogs' && happens('empty logs')) return { result: [] }
    if ((method === 'eth_getBlockByNumber' || method === 'eth_getLogs') && happens('20 blocks behind')) {
      return behind(method, params)
    }
    return undefined
  }
  return { counts, interfere }
}

/** Returns the response of a node that lacks the newest 20 blocks. */
async function behind(method: string, params: readonly unknown[]): Promise<Interference> {
  const newest = (await chain.height()) - 20
  if (method === 'eth_getBlockByNumber') {
    const [wanted] = params as [string]
    if (wanted === 'latest') return { result: await chain.rpc(method, [`0x${newest.toString(16)}`, false]) }
    return Number(wanted) > newest ? { result: null } : undefined
  }
  const logs = await chain.rpc<{ blockNumber: Hex }[]>(method, params)
  return { result: logs.filter(({ blockNumber }) => Number(blockNumber) <= newest) }
}

test('behavior: with every fault at 5 % the sync reaches the correct state, and never a wrong one', async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  process.stderr.write(`faults with SEED=${seed}\n`)
  let state = seed
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const { counts, interfere } = createFaults(random)
  node.interfere = interfere
  const [maker] = devnet.backers
  const quotes = await Promise.all(Array.from({ length: 40 }, () => signedQuote(devnet, maker)))
  const bench = await createSyncFixture(devnet, { rpcUrl: node.url, timeoutMs: 40, logWindow: 5, quotes })

  let failed = 0
  /** Runs a cycle, which may fail. Afterwards the store must contain exactly the events up to its cursor. */
  const cycle = async () => {
    await bench.sync.cycle().catch((error: { code?: string }) => {
      expect(error.code).toBe('CHAIN_UNAVAILABLE')
      failed += 1
    })
    const { cursor } = await bench.store.findSyncPosition()
    if (cursor === null) return
    const truth = await chain.rpc<{ hash: Hex }>('eth_getBlockByNumber', [`0x${cursor.number.toString(16)}`, false])
    expect(cursor.hash).toBe(truth.hash)
    const ended = await Promise.all(quotes.map(async (quote) => ((await bench.statusOf(quote)) === 'active' ? 0 : 1)))
    const height = Number(cursor.number)
    expect(ended.reduce<number>((sum, one) => sum + one, 0)).toBe(endedAt.filter((block) => block <= height).length)
  }
  const endedAt: number[] = []
  for (const quote of quotes) {
    await chain.cancel(maker, quote)
    endedAt.push(await chain.height())
    if (random() < 0.3) await cycle()
  }
  for (let left = 500; left > 0; left -= 1) {
    await cycle()
    if ((await bench.store.findSyncPosition()).cursor?.number === BigInt(await chain.height())) break
  }
  expect(bench.dump()).toEqual(await syncFromScratch(devnet, { quotes }))
  expect(failed).toBeGreaterThan(5)
  for (const fault of ['time-out', '429', '5xx', 'broken JSON', 'empty logs', '20 blocks behind']) {
    expect([fault, counts[fault] ?? 0]).not.toEqual([fault, 0])
  }
  await bench.close()
}, 120_000)
