import { inspect } from 'node:util'
import { ChainUnavailableError, hashQuote, judgeState } from '@firmquote/core'
import { type Devnet, interestRatePoolAbi, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { zeroHash } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import { createFakeClock } from '../../testing/fakeClock.ts'
import { signedQuote } from '../../testing/realService.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '../../testing/rpcProxy.ts'
import { domainOf } from '../../testing/signedQuotes.ts'
import { createRpcClient, createViemChain } from './viemChain.ts'

let devnet: Devnet
let node: RpcProxy
const clock = createFakeClock()

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
})
afterEach(() => node.close())

function chainOf(options: { logWindow?: number; timeoutMs?: number } = {}): Chain {
  const { logWindow, timeoutMs = 1_000 } = options
  return createViemChain({
    client: createRpcClient({ rpcUrl: node.url, timeoutMs }),
    clock,
    domain: domainOf(devnet),
    interestRatePool: devnet.contracts.interestRatePool,
    deployBlock: 0,
    ...(logWindow === undefined ? {} : { logWindow }),
  })
}

async function createSeries(expiry: number): Promise<void> {
  const hash = await devnet.walletClient(devnet.deployer).writeContract({
    address: devnet.contracts.interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'createSeries',
    args: [devnet.pools[0].poolId, BigInt(expiry), 1_000n],
  })
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

const logRequests = () => node.calls.filter(({ method }) => method === 'eth_getLogs')

const fromBlockOf = ({ params }: RpcCall) => (params[0] as { fromBlock: string }).fromBlock
const toBlockOf = ({ params }: RpcCall) => (params[0] as { toBlock: string }).toBlock

describe('readHead and readGenesisHash', () => {
  test('default', async () => {
    const { number, hash, timestamp } = await devnet.publicClient.getBlock()
    expect(await chainOf().readHead()).toEqual({ number, hash, timestamp })
    const genesis = await devnet.publicClient.getBlock({ blockNumber: 0n })
    expect(await chainOf().readGenesisHash()).toBe(genesis.hash)
  })
})

describe('readSeriesOf', () => {
  test('default', async () => {
    const chain = chainOf()
    for (const { poolId, series } of devnet.pools) {
      expect(await chain.readSeriesOf(poolId)).toEqual(series.map((item) => ({ poolId, ...item })))
    }
    expect(await chain.readSeriesOf(zeroHash)).toBeNull()
  })

  test('behavior: sees a new series, and no longer what a reorganisation has undone', async () => {
    const chain = chainOf()
    const [{ poolId }] = devnet.pools
    const expiries = async () => (await chain.readSeriesOf(poolId))?.map(({ expiry }) => expiry)
    const before = await expiries()
    const soon = (before?.[0] ?? 0) - 86_400
    const snapshot = await devnet.testClient.snapshot()
    await createSeries(soon)
    expect(await expiries()).toEqual([soon, ...(before ?? [])])
    await devnet.testClient.revert({ id: snapshot })
    expect(await expiries()).toEqual(before)
  })

  test('behavior: reads on where it stopped, a few blocks before the head', async () => {
    const chain = chainOf()
    const [{ poolId }] = devnet.pools
    await devnet.testClient.mine({ blocks: 200 })
    await chain.readSeriesOf(poolId)
    node.calls.length = 0
    const head = await devnet.publicClient.getBlockNumber()
    await chain.readSeriesOf(poolId)
    expect(logRequests().map(fromBlockOf)).toEqual([`0x${(head - 63n).toString(16)}`])
  })

  test('behavior: asks for less when the node refuses a range', async () => {
    const most = 40n
    node.interfere = ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      const isTooMuch = BigInt(toBlock) - BigInt(fromBlock) + 1n > most
      return isTooMuch ? { error: { code: -32005, message: 'query exceeds max block range 40' } } : undefined
    }
    const [{ poolId, series }] = devnet.pools
    const chain = chainOf({ logWindow: 1_000 })
    expect((await chain.readSeriesOf(poolId))?.map(({ seriesKey }) => seriesKey)).toEqual(
      series.map(({ seriesKey }) => seriesKey),
    )
    const refused = logRequests().length
    node.calls.length = 0
    await chain.readSeriesOf(poolId)
    expect(logRequests().length).toBeLessThan(refused)
  })

  test('error: a node that refuses even a small range', async () => {
    node.interfere = ({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32005, message: 'no logs today' } } : undefined
    await expect(chainOf({ logWindow: 64 }).readSeriesOf(zeroHash)).rejects.toThrow(/no logs today/)
    expect(new Set(logRequests().map(toBlockOf))).toEqual(new Set(['0x3f', '0x1f', '0xf']))
  })

  test('error: patience ends, and the next reading goes on where it stopped', async () => {
    const chain = chainOf({ logWindow: 16 })
    node.interfere = ({ method }) => {
      if (method === 'eth_getLogs') clock.advance(15_000)
      return undefined
    }
    await expect(chain.readSeriesOf(zeroHash)).rejects.toThrow(/have been read up to block 32 of/)
    node.interfere = () => undefined
    node.calls.length = 0
    await chain.readSeriesOf(zeroHash)
    expect(logRequests().map(fromBlockOf)[0]).toBe('0x0')
    const [{ poolId, series }] = devnet.pools
    expect(await chain.readSeriesOf(poolId)).toHaveLength(series.length)
  })

  test('behavior: readers at the same time share one reading', async () => {
    const chain = chainOf()
    await Promise.all(devnet.pools.map(({ poolId }) => chain.readSeriesOf(poolId)))
    expect(logRequests()).toHaveLength(1)
  })
})

describe('readQuoteStates', () => {
  test('default', async () => {
    const chain = chainOf()
    const quotes = await Promise.all(devnet.backers.map((backer) => signedQuote(devnet, backer)))
    const { block, states } = await chain.readQuoteStates(quotes)
    expect(states.map(({ hash }) => hash)).toEqual(quotes.map((quote) => hashQuote(quote, domainOf(devnet))))
    quotes.forEach((quote, index) => {
      const state = states[index]
      expect(state && judgeState(quote, state, block.timestamp)).toBeNull()
    })
  })

  test('behavior: everyone gets its own states, read together at one block', async () => {
    const chain = chainOf()
    const quotes = await Promise.all(devnet.backers.map((backer) => signedQuote(devnet, backer)))
    const [a, b, c] = quotes
    if (!a || !b || !c) throw new RangeError('three backers')
    await chain.readQuoteStates([a])
    node.calls.length = 0
    const answers = await Promise.all([
      chain.readQuoteStates([a, b]),
      chain.readQuoteStates([]),
      chain.readQuoteStates([c]),
    ])
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_call'])
    const hashes = answers.map(({ states }) => states.map(({ hash }) => hash))
    const expected = quotes.map((quote) => hashQuote(quote, domainOf(devnet)))
    expect(hashes).toEqual([expected.slice(0, 2), [], expected.slice(2)])
  })

  test('behavior: what comes in several turns of the event loop still goes together', async () => {
    const chain = chainOf()
    const quote = await signedQuote(devnet, devnet.backers[0])
    await chain.readQuoteStates([quote])
    node.calls.length = 0
    const answers: Promise<unknown>[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      answers.push(chain.readQuoteStates([quote]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(answers)
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })

  test('behavior: more than a batch holds is split, and read at the same time', async () => {
    const chain = chainOf()
    const quote = await signedQuote(devnet, devnet.backers[0])
    await chain.readQuoteStates([quote])
    node.calls.length = 0
    const answers = await Promise.all(Array.from({ length: 450 }, () => chain.readQuoteStates([quote])))
    expect(answers.every(({ states }) => states.length === 1)).toBe(true)
    expect(node.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(3)
  })

  test('behavior: what quotes have in common is read once', async () => {
    const chain = chainOf()
    const [backer] = devnet.backers
    const one = [await signedQuote(devnet, backer)]
    const ten = await Promise.all(Array.from({ length: 10 }, () => signedQuote(devnet, backer)))
    await chain.readQuoteStates(one)
    const bytesOf = async (quotes: typeof ten) => {
      node.calls.length = 0
      await chain.readQuoteStates(quotes)
      const call = node.calls.find(({ method }) => method === 'eth_call')
      return JSON.stringify(call?.params).length
    }
    // A preview and a status are each quote's own; five more readings are not.
    expect(await bytesOf(ten)).toBeLessThan((await bytesOf(one)) * 7)
  })

  test('behavior: one that the node cannot read harms no other', async () => {
    const chain = chainOf()
    const [good, bad] = [await signedQuote(devnet, devnet.backers[0]), await signedQuote(devnet, devnet.backers[1])]
    const poison = bad.salt.slice(2)
    node.interfere = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(poison)
        ? { error: { code: -32000, message: 'out of gas' } }
        : undefined
    const [first, second] = await Promise.allSettled([chain.readQuoteStates([good]), chain.readQuoteStates([bad])])
    expect(first).toMatchObject({ status: 'fulfilled', value: { states: [{ preview: { executable: true } }] } })
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnavailableError) })
  })
})

describe('a node that fails', () => {
  test.each([
    ['answers with an HTTP error', () => ({ status: 503 })],
    ['forbids', () => ({ status: 403 })],
    ['answers with an error of its own', () => ({ error: { code: -32603, message: 'see https://node/secret-key' } })],
  ] as const)('error: it %s', async (_what, interfere) => {
    node.interfere = interfere
    const chain = chainOf()
    const quote = await signedQuote(devnet, devnet.backers[0])
    const reads = [
      chain.readHead(),
      chain.readGenesisHash(),
      chain.readSeriesOf(zeroHash),
      chain.readQuoteStates([quote]),
    ]
    for (const failure of await Promise.allSettled(reads)) {
      expect(failure.status).toBe('rejected')
      if (failure.status !== 'rejected') continue
      expect(failure.reason).toBeInstanceOf(ChainUnavailableError)
      expect(inspect(failure.reason, { depth: 10 })).not.toContain('secret-key')
    }
  })

  test('error: it does not answer in time', async () => {
    let release = () => {}
    node.interfere = () =>
      new Promise<undefined>((resolve) => {
        release = () => resolve(undefined)
      })
    await expect(chainOf({ timeoutMs: 50 }).readHead()).rejects.toThrow(ChainUnavailableError)
    expect(node.calls.length).toBeLessThanOrEqual(2)
    release()
  })

  test('error: it is not there', async () => {
    await node.close()
    await expect(chainOf().readHead()).rejects.toThrow(ChainUnavailableError)
    node = await startRpcProxy(devnet.rpcUrl)
  })
})
