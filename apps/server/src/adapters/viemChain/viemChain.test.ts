// Long because all tests share one devnet and proxy.
import { inspect } from 'node:util'
import { ChainUnavailableError } from '@firmquote/core'
import { judgeState, type QuoteStateQuery } from '@firmquote/core/chain'
import type { DevnetAccount } from '@firmquote/devnet'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  encodeErrorResult,
  erc20Abi,
  type Hex,
  numberToHex,
  parseAbi,
  type RpcTransactionRequest,
  zeroHash,
} from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { signedQuote } from '../../../test/realService.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { stateQueriesOf } from '../../../test/stateQueries.ts'
import type { BlockHeader, Chain, ChainEvent } from '../../ports/chain.ts'
import { createQuoteStateBatches } from './quoteStateBatches.ts'
import { createRpcClient, createViemChain } from './viemChain.ts'

let node: RpcProxy

useDevnet()
beforeEach(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
})
afterEach(() => node.close())

function chainOf(options: { logWindow?: number; timeoutMs?: number; monotonic?: () => number } = {}): Chain {
  // By default, the clock stands still, so that the chain does not treat slow tests as pauses.
  const { logWindow, timeoutMs = 1_000, monotonic = () => 0 } = options
  return createViemChain({
    client: createRpcClient({ rpcUrl: node.url, timeoutMs }),
    quoteMarket: devnet.contracts.quoteMarket,
    interestRatePool: devnet.contracts.interestRatePool,
    ...(logWindow === undefined ? {} : { logWindow }),
    clock: { monotonic },
  })
}

const logRequests = () => node.calls.filter(({ method }) => method === 'eth_getLogs')

const toBlockOf = ({ params }: RpcCall) => (params[0] as { toBlock: string }).toBlock

describe('readHead and readGenesisHash', () => {
  test('default', async () => {
    const { number, hash, timestamp, parentHash, logsBloom } = await devnet.publicClient.getBlock()
    expect(await chainOf().readHead()).toEqual({ number, hash, timestamp, parentHash, logsBloom })
    const genesis = await devnet.publicClient.getBlock({ blockNumber: 0n })
    expect(await chainOf().readGenesisHash()).toBe(genesis.hash)
  })
})

describe('readBlocks and readFinalized', () => {
  test('default', async () => {
    const chain = chainOf()
    const blocks = await chain.readBlocks([3n, 1n, 2n])
    expect(blocks.map(({ number }) => number)).toEqual([3n, 1n, 2n])
    expect(blocks[0]?.parentHash).toBe(blocks[2]?.hash)
    const finalized = await chain.readFinalized()
    expect(finalized?.number).toBeLessThan((await chain.readHead()).number)
  })

  test('behavior: a node without a finalized block', async () => {
    node.interfere = () => ({ error: { code: -39001, message: 'unknown block' } })
    expect(await chainOf().readFinalized()).toBeNull()
  })

  test('error: a block that the node does not have', async () => {
    await expect(chainOf().readBlocks([1n, 1_000_000n])).rejects.toThrow(ChainUnavailableError)
  })
})

describe('readSignatures', () => {
  test.each(['rate limit exceeded', 'too many requests', 'block not found'])(
    'error: a contract that reverts with "%s" is rejected at once, and its node stays in use',
    async (reason) => {
      const account = numberToHex(0xbad, { size: 20 })
      await devnet.testClient.setCode({ address: account, bytecode: revertingWith(reason) })
      const chain = chainOf()
      const signature = { account, digest: zeroHash, signature: '0x' } as const
      await chain.readHead()
      node.calls.length = 0
      expect(await chain.readSignatures(Array.from({ length: 5 }, () => signature))).toEqual(Array(5).fill(false))
      expect(node.calls.length).toBe(5)
      await chain.readHead()
    },
  )
})

/** Creates a contract's code that reverts with a reason. */
function revertingWith(reason: string): Hex {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [reason] }).slice(2)
  const length = (data.length / 2).toString(16).padStart(2, '0')
  // Copies the data, which follows these 12 bytes, and reverts with it.
  return `0x60${length}600c60003960${length}6000fd${data}`
}

describe('readEvents and readBlockLogs', () => {
  const everything = async (chain: Chain) => {
    const events: ChainEvent[] = []
    const to = (await chain.readHead()).number
    for (let from = 0n; from <= to; ) {
      const read = await chain.readEvents({ from, to })
      events.push(...read.events)
      from = read.through + 1n
    }
    return events
  }

  test('default', async () => {
    const events = await everything(chainOf())
    const created = devnet.pools.flatMap(({ poolId, market, series }) => [
      {
        type: 'poolCreated',
        poolId,
        market,
        loanToken: devnet.contracts.loanToken,
        adapter: devnet.contracts.morphoAdapter,
      },
      ...series.map((item) => ({ type: 'seriesCreated', poolId, ...item, cap: expect.any(BigInt) })),
    ])
    expect(events.map(({ fact }) => fact)).toEqual(created)
    const [first] = events
    const block = await devnet.publicClient.getBlock({ blockNumber: first?.blockNumber ?? 0n })
    expect(first).toMatchObject({ blockHash: block.hash, transactionHash: block.transactions[0], logIndex: 0 })
    expect(await chainOf().readBlockLogs(block.hash)).toMatchObject({ events: [first], logs: [{}] })
  })

  test("behavior: a node's limit on the range is remembered, and the window grows again after it is lifted", async () => {
    let most = 10n
    const refused: bigint[] = []
    node.interfere = ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      const asked = BigInt(toBlock) - BigInt(fromBlock) + 1n
      if (asked <= most) return { result: [] }
      refused.push(asked)
      return { error: { code: -32005, message: 'query exceeds max block range' } }
    }
    const chain = chainOf({ logWindow: 1_000 })
    const readWindows = async (count: number) => {
      let widest = 0n
      for (let from = 0n, read = 0; read < count; read += 1) {
        const { through } = await chain.readEvents({ from, to: 1_000_000n })
        if (through - from + 1n > widest) widest = through - from + 1n
        from = through + 1n
      }
      return widest
    }
    expect(await readWindows(120)).toBe(7n)
    // One descent from 1,000 blocks, then an attempt with twice the blocks after 8, 16, 32 and 64 windows.
    expect(refused).toEqual([1_000n, 500n, 250n, 125n, 62n, 31n, 15n, 14n, 14n, 14n])
    most = 1_000n
    expect(await readWindows(2_000)).toBe(1_000n)
  })

  test('behavior: the next window is smaller after the node fails to answer a range', async () => {
    node.interfere = ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      return BigInt(toBlock) - BigInt(fromBlock) + 1n > 2n ? { status: 504 } : undefined
    }
    const chain = chainOf({ logWindow: 8 })
    for (const asked of ['0x7', '0x3']) {
      node.calls.length = 0
      await expect(chain.readEvents({ from: 0n, to: 9n })).rejects.toThrow(ChainUnavailableError)
      expect(new Set(logRequests().map(toBlockOf))).toEqual(new Set([asked]))
    }
    // The window grows after eight windows have been answered.
    for (let window = 0n; window < 9n; window += 1n) {
      const from = 2n * window
      const last = from + (window < 8n ? 1n : 3n)
      node.calls.length = 0
      const reading = chain.readEvents({ from, to: 99n })
      if (window < 8n) expect(await reading).toMatchObject({ through: last })
      else await expect(reading).rejects.toThrow(ChainUnavailableError)
      expect(logRequests().map(toBlockOf)[0]).toBe(numberToHex(last))
    }
  })

  test('error: a node that refuses even one block', async () => {
    node.interfere = ({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32005, message: 'no logs today' } } : undefined
    await expect(chainOf({ logWindow: 4 }).readEvents({ from: 0n, to: 9n })).rejects.toThrow(/no logs today/)
    expect(new Set(logRequests().map(toBlockOf))).toEqual(new Set(['0x3', '0x1', '0x0']))
  })
})

/** The query for a quote that its maker signed. */
async function askedQuote(backer: DevnetAccount): Promise<QuoteStateQuery> {
  const [asked] = await stateQueriesOf([await signedQuote(devnet, backer)], domainOf(devnet))
  if (!asked) throw new RangeError('one quote')
  return asked
}

describe('readQuoteStates', () => {
  test('default', async () => {
    const chain = chainOf()
    const quotes = await Promise.all(devnet.backers.map((backer) => askedQuote(backer)))
    const { block, states } = await chain.readQuoteStates(quotes)
    expect(states.map(({ hash }) => hash)).toEqual(quotes.map(({ hash }) => hash))
    quotes.forEach(({ quote }, index) => {
      const state = states[index]
      expect(state && judgeState(quote, state, block.timestamp)).toBeNull()
    })
  })

  test('behavior: each caller gets its own states, read together at one block', async () => {
    const chain = chainOf()
    const quotes = await Promise.all(devnet.backers.map((backer) => askedQuote(backer)))
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
    const expected = quotes.map(({ hash }) => hash)
    expect(hashes).toEqual([expected.slice(0, 2), [], expected.slice(2)])
  })

  test('behavior: requests of several event-loop iterations share a batch', async () => {
    // A delay longer than twenty iterations take on any machine. The default of 4 ms may be too short on a busy
    // machine.
    const chain = chainOf()
    const read = createQuoteStateBatches(chain.readQuoteStates, { quotes: 200, running: 4, gatherMs: 1_000 })
    const quote = await askedQuote(devnet.backers[0])
    await chain.readQuoteStates([quote])
    node.calls.length = 0
    const answers: Promise<unknown>[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      answers.push(read([quote]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(answers)
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })

  test('behavior: reads that exceed a batch are split and run concurrently', async () => {
    const chain = chainOf({ timeoutMs: 10_000 })
    const quote = await askedQuote(devnet.backers[0])
    await chain.readQuoteStates([quote])
    node.calls.length = 0
    const answers = await Promise.all(Array.from({ length: 250 }, () => chain.readQuoteStates([quote])))
    expect(answers.every(({ states }) => states.length === 1)).toBe(true)
    expect(node.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(2)
  })

  test('behavior: shared values are read once per block', async () => {
    const chain = chainOf()
    const [backer] = devnet.backers
    const one = [await askedQuote(backer)]
    const ten = await Promise.all(Array.from({ length: 10 }, () => askedQuote(backer)))
    // The number of reads in each request, including three block reads.
    const readings = async (quotes: typeof ten) => {
      node.calls.length = 0
      await chain.readQuoteStates(quotes)
      return node.calls
        .filter(({ method }) => method === 'eth_call')
        .map(({ params }) => Number(`0x${(params[0] as { data: Hex }).data.slice(10 + 64, 10 + 128)}`))
    }
    await chain.readQuoteStates(one)
    await devnet.testClient.mine({ blocks: 1 })
    // The five reads are the maker's nonce, balance and allowance, the series, and the series' capacity. Each quote
    // adds its status.
    expect(await readings(one)).toEqual([3 + 1, 3 + 5])
    expect(await readings(ten)).toEqual([3 + 10])
    expect(await readings([...one, await askedQuote(devnet.backers[1])])).toEqual([3 + 2 + 3])
  })

  test('behavior: after a pause everything is read together, because a new block is likely', async () => {
    let now = 0
    const chain = chainOf({ monotonic: () => now })
    const asked = await askedQuote(devnet.backers[0])
    await chain.readQuoteStates([asked])
    await devnet.testClient.mine({ blocks: 1 })
    node.calls.length = 0
    now += 1_000
    await chain.readQuoteStates([asked])
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })

  test('behavior: values from one block are not used for the next', async () => {
    const chain = chainOf()
    const [backer, to] = devnet.backers
    const asked = await askedQuote(backer)
    const before = await chain.readQuoteStates([asked])
    await createChainDriver(devnet).call(backer, devnet.contracts.loanToken, erc20Abi, 'transfer', [to.address, 1n])
    const after = await chain.readQuoteStates([asked])
    expect(after.block.number).toBe(before.block.number + 1n)
    expect((before.states[0]?.balance ?? 0n) - (after.states[0]?.balance ?? 0n)).toBe(1n)
  })

  test('behavior: a block that arrives between the two requests is not mixed with the previous one', async () => {
    const chain = chainOf()
    const asked = await askedQuote(devnet.backers[0])
    await chain.readQuoteStates([asked])
    const before = await devnet.publicClient.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    await devnet.testClient.mine({ blocks: 1 })
    node.interfere = ({ method }) => (method === 'eth_getBlockByNumber' ? { result: before } : undefined)
    const { block, states } = await chain.readQuoteStates([asked])
    expect(states[0]?.block).toEqual(block)
    expect(block.hash).toBe(before?.hash)
    const [first, again] = node.calls.filter(({ method }) => method === 'eth_call').slice(-2)
    expect([first?.params[1], again?.params[1]]).toEqual(['latest', numberToHex(block.number)])
  })

  test('error: a node that reads at a different block from the one it returned', async () => {
    const chain = chainOf()
    const asked = await askedQuote(devnet.backers[0])
    const { block } = await chain.readQuoteStates([asked])
    const before = await devnet.publicClient.request({
      method: 'eth_getBlockByNumber',
      params: [numberToHex(block.number), false],
    })
    await devnet.testClient.mine({ blocks: 1 })
    node.interfere = async ({ method, params }) =>
      method === 'eth_getBlockByNumber'
        ? { result: before }
        : { result: await devnet.publicClient.request({ method: 'eth_call', params: [params[0] as { data: Hex }] }) }
    // At the returned block, the maker's funds are known, but the quote's status is not.
    node.calls.length = 0
    await expect(chain.readQuoteStates([asked])).rejects.toThrow(ChainUnavailableError)
    expect(node.calls.map(({ method }) => method)).toEqual([
      'eth_getBlockByNumber',
      'eth_call',
      ...Array<string>(3).fill('eth_call'),
    ])
  })

  test("behavior: the contract is asked where the signature is not the maker's own", async () => {
    const { quote, hash } = await askedQuote(devnet.backers[0])
    const { states } = await chainOf().readQuoteStates([{ quote, hash, signer: null, preview: true }])
    expect(states[0]).toMatchObject({ recovered: null, preview: { executable: true, reason: '' } })
  })

  test('behavior: a quote that the node cannot read does not fail the others', async () => {
    const chain = chainOf()
    const [good, bad] = [await askedQuote(devnet.backers[0]), await askedQuote(devnet.backers[1])]
    const poison = bad.hash.slice(2)
    node.interfere = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(poison)
        ? { error: { code: -32000, message: 'out of gas' } }
        : undefined
    const [first, second] = await Promise.allSettled([chain.readQuoteStates([good]), chain.readQuoteStates([bad])])
    expect(first).toMatchObject({ status: 'fulfilled', value: { states: [{ hash: good.hash, status: 'open' }] } })
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnavailableError) })
  })
})

describe('readKnownQuotes', () => {
  test('behavior: a quote is read once per block, and the same terms with another signature are read separately', async () => {
    const chain = chainOf()
    const [a, b] = [await askedQuote(devnet.backers[0]), await askedQuote(devnet.backers[1])]
    const read = async (...quotes: QuoteStateQuery[]) => {
      node.calls.length = 0
      const { block, states } = await chain.readKnownQuotes(quotes)
      expect(states.map((state) => [state?.hash, state?.block])).toEqual(quotes.map(({ hash }) => [hash, block]))
      return { block, states, requests: node.calls.map(({ method }) => method) }
    }
    await read(a)
    expect((await read(a)).requests).toEqual(['eth_getBlockByNumber'])
    const foreign = { ...a, quote: { ...a.quote, signature: b.quote.signature }, signer: b.signer, preview: true }
    const { states, requests } = await read(b, foreign, a)
    // A quote with a different signature is read separately.
    expect(requests).toEqual(['eth_getBlockByNumber', 'eth_call', 'eth_call', 'eth_call'])
    expect(states.map((state) => state?.recovered)).toEqual([b.signer, b.signer, a.signer])

    await devnet.testClient.mine({ blocks: 1 })
    expect((await read(a)).requests).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })
})

describe('readAccount and readRates', () => {
  const account = () => devnet.borrowers[0].address
  const pools = () => {
    const [{ poolId, market }] = devnet.pools
    const { loanToken, morphoAdapter: adapter } = devnet.contracts
    return [{ poolId, market, loanToken, adapter }]
  }
  const readings: [name: string, read: (chain: Chain, block: BlockHeader) => Promise<unknown>][] = [
    ['readAccount', (chain, block) => chain.readAccount({ account: account(), pools: pools(), series: [], block })],
    ['readRates', (chain, block) => chain.readRates({ pools: pools(), block })],
  ]
  /**
   * Answers the next `count` contract reads from the previous block. Returns a function that counts answered reads.
   */
  const answerLate = ({ number }: BlockHeader, count: number): (() => number) => {
    let late = 0
    node.interfere = async ({ method, params: [call] }) => {
      if (method !== 'eth_call' || late === count) return undefined
      late += 1
      const params: [RpcTransactionRequest, Hex] = [call as RpcTransactionRequest, numberToHex(number - 1n)]
      return { result: await devnet.publicClient.request({ method, params }) }
    }
    return () => late
  }

  test.each(readings)(
    'behavior: a node that answers twice at another block is queried again (%s)',
    async (_name, read) => {
      const chain = chainOf()
      const block = await chain.readHead()
      const known = await read(chain, block)
      const late = answerLate(block, 2)
      expect(await read(chain, block)).toEqual(known)
      expect(late()).toBe(2)
    },
  )

  test.each(readings)('error: a node that answers three times at another block (%s)', async (_name, read) => {
    const chain = chainOf()
    const block = await chain.readHead()
    const late = answerLate(block, 4)
    await expect(read(chain, block)).rejects.toThrow('different block')
    expect(late()).toBe(3)
  })
})

describe('a node that fails', () => {
  test.each([
    ['returns 503', () => ({ status: 503 })],
    ['returns 403', () => ({ status: 403 })],
    ['returns a JSON-RPC error', () => ({ error: { code: -32603, message: 'see https://node/secret-key' } })],
  ] as const)('error: it %s', async (_what, interfere) => {
    node.interfere = interfere
    const chain = chainOf()
    const quote = await askedQuote(devnet.backers[0])
    const reads = [
      chain.readHead(),
      chain.readGenesisHash(),
      chain.readBlocks([1n]),
      chain.readChainId(),
      chain.readEvents({ from: 0n, to: 0n }),
      chain.readBlockLogs(zeroHash),
      chain.readQuoteStates([quote]),
    ]
    for (const failure of await Promise.allSettled(reads)) {
      expect(failure.status).toBe('rejected')
      if (failure.status !== 'rejected') continue
      expect(failure.reason).toBeInstanceOf(ChainUnavailableError)
      expect(inspect(failure.reason, { depth: 10 })).not.toContain('secret-key')
    }
  })

  test('error: does not answer in time', async () => {
    const { promise, resolve: release } = createDeferred<undefined>()
    node.interfere = () => promise
    await expect(chainOf({ timeoutMs: 50 }).readHead()).rejects.toThrow(ChainUnavailableError)
    expect(node.calls.length).toBeLessThanOrEqual(2)
    release(undefined)
  })

  test('error: is unreachable', async () => {
    await node.close()
    await expect(chainOf().readHead()).rejects.toThrow(ChainUnavailableError)
    node = await startRpcProxy(devnet.rpcUrl)
  })
})
