import { describe, expect, jest, test } from '@jest/globals'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  stringToHex,
  zeroAddress,
} from 'viem'
import { vectorDomain, vectorQuote } from '../../test/quoteArbitrary.ts'
import { createScriptedNode, refusal, scriptedBlock } from '../../test/scriptedNode.ts'
import { erc1271Abi } from '../abi/erc1271.ts'
import { quoteMarketAbi } from '../abi/quoteMarket.ts'
import { type ContractSignature, createContractCalls, type PreviewQuery } from './contractCalls.ts'

const { quoteMarket } = vectorDomain
const magic = `0x1626ba7e${'0'.repeat(56)}` as const
const contracts: Address[] = [
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
]
const [first, second] = contracts as [Address, Address]
const digest: Hex = `0x${'55'.repeat(32)}`
const signature: Hex = `0x${'ab'.repeat(130)}`
const never = () => new Promise<Hex>(() => {})
const outOfGas = () => refusal(-32_000, 'out of gas')

/** Encodes the market's response. */
const verdict = (executable: boolean, reason = '') =>
  encodeFunctionResult({
    abi: quoteMarketAbi,
    functionName: 'previewTakeQuote',
    result: [executable, stringToHex(reason, { size: 32 }), 7n, 9n],
  })

/** Returns the maker in a call to the market, or null for a direct call to a contract. */
function makerAsked(data: Hex): Address | null {
  if (data.startsWith('0x1626ba7e')) return null
  const { args } = decodeFunctionData({ abi: quoteMarketAbi, data })
  return (args as unknown as [{ maker: Address }])[0].maker
}

function query(maker: Address, change: Partial<PreviewQuery['quote']> = {}): PreviewQuery {
  return { hash: digest, quote: { ...vectorQuote, maker, signature, ...change } }
}

const at = { block: scriptedBlock, timeoutMs: 5_000 }
/** The block as calls name it (EIP-1898). */
const named = { blockHash: scriptedBlock.hash, requireCanonical: true }
const executable = { executable: true, reason: '', borrowerCost: 7n }
const failed = (failure: 'silent' | 'refused') => ({
  executable: false,
  reason: failure === 'silent' ? 'CHAIN_UNAVAILABLE' : 'SIGNATURE_CHECK_FAILED',
  borrowerCost: 0n,
  failure,
})

/** Node error messages for a contract that ran out of gas and for a call that was not executed. */
const halts: [number, string][] = [
  [-32_000, 'out of gas'],
  [-32_000, 'invalid opcode: INVALID'],
  [-32_000, 'invalid jump destination'],
  [-32_000, 'stack underflow (0 <=> 2)'],
  [-32_603, 'EVM error OutOfGas'],
  [-32_603, 'EVM error InvalidFEOpcode'],
  [-32_003, 'out of gas: gas required exceeds: 500000'],
  [-32_015, 'VM execution error.'],
]
const outages: [number, string][] = [
  [-32_005, 'limit exceeded'],
  [-32_000, 'header not found'],
  [-32_000, 'missing trie node 5c9988ed (path )'],
  [-32_602, 'BlockOutOfRangeError: block height is 72 but requested was 77'],
  [-32_603, 'internal error'],
  [429, 'too many requests'],
]

describe('readSignatures', () => {
  const signatures: ContractSignature[] = [first, second].map((account) => ({ account, digest, signature }))
  const read = (answer: (to: Address) => Hex | Promise<Hex>, some = signatures) => {
    const { client, calls } = createScriptedNode(answer)
    const { readSignatures } = createContractCalls(client, { quoteMarket })
    return { read: readSignatures(some, { timeoutMs: 5_000 }), calls }
  }

  test('default: what each contract says, in a call of its own that looks like a transaction', async () => {
    const { read: reading, calls } = read((to) => (to === second ? magic : `0x${'0'.repeat(64)}`))
    expect(await reading).toEqual([false, true])
    expect(calls.map(({ to, block }) => [to, block])).toEqual([
      [first, 'latest'],
      [second, 'latest'],
    ])
    const froms = calls.map(({ data, params }) => {
      expect(decodeFunctionData({ abi: erc1271Abi, data })).toEqual({
        functionName: 'isValidSignature',
        args: [digest, signature],
      })
      const [call, , overrides] = params as [Record<string, Hex>, string, Record<Hex, { balance: Hex }>]
      const from = call['from'] as Hex
      expect(call['gas']).toBe('0x7a120')
      const [fee, tip] = [
        hexToBigInt(call['maxFeePerGas'] ?? '0x0'),
        hexToBigInt(call['maxPriorityFeePerGas'] ?? '0x0'),
      ]
      expect(tip).toBeGreaterThanOrEqual(1_000_000n)
      expect(tip).toBeLessThan(3_000_000n)
      expect(Object.keys(overrides)).toEqual([from])
      // Nodes reject a gas price that the account cannot afford.
      expect(hexToBigInt(overrides[from]?.balance ?? '0x0')).toBeGreaterThanOrEqual(2n * 500_000n * fee)
      expect(fee).toBeGreaterThan(tip)
      return from
    })
    expect(froms[0]).not.toBe(froms[1])
    expect(froms).not.toContain(zeroAddress)
  })

  test.each([
    ['upper case', `0x1626BA7E${'0'.repeat(56)}` as Hex, true],
    ['more than a word', `${magic}00` as Hex, true],
    ['four bytes only', '0x1626ba7e' as Hex, false],
    ['a word that goes on', `0x1626ba7e${'0'.repeat(55)}1` as Hex, false],
    ['nothing', '0x' as Hex, false],
  ])('behavior: %s', async (_what, answer, accepted) => {
    expect(await read(() => answer).read).toEqual([accepted, accepted])
  })

  test.each([
    [3, 'execution reverted'],
    [3, 'header not found'],
    [-32_000, 'execution reverted: limit exceeded'],
    ...halts,
  ])('behavior: %d %s is a refusal', async (code, message) => {
    expect(await read(() => Promise.reject(refusal(code, message))).read).toEqual([false, false])
  })

  test.each(outages)('error: %d %s is not known', async (code, message) => {
    expect(await read((to) => (to === first ? Promise.reject(refusal(code, message)) : magic)).read).toEqual([
      null,
      true,
    ])
  })

  test('error: a connection that breaks, and no answer in time', async () => {
    expect(await read(() => Promise.reject(new TypeError('fetch failed'))).read).toEqual([null, null])
    const { readSignatures } = createContractCalls(createScriptedNode(never).client, { quoteMarket })
    expect(await readSignatures(signatures, { timeoutMs: 1 })).toEqual([null, null])
  })

  test('behavior: respects the concurrency limit across callers', async () => {
    let [running, most] = [0, 0]
    const { client } = createScriptedNode(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return magic
    })
    const calls = createContractCalls(client, { quoteMarket, limits: { gas: 100_000, concurrency: 3 } })
    const many = Array.from({ length: 8 }, () => signatures).flat()
    const both = await Promise.all([1, 2].map(() => calls.readSignatures(many, { timeoutMs: 5_000 })))
    expect(both).toEqual([1, 2].map(() => many.map(() => true)))
    expect(most).toBe(3)
  })
})

describe('readPreviews', () => {
  const read = (
    queries: readonly PreviewQuery[],
    answer: (to: Address, data: Hex) => Hex | Promise<Hex>,
    change: { borrower?: Address; stopAtFailure?: boolean; timeoutMs?: number } = {},
  ) => {
    const { client, calls } = createScriptedNode(answer)
    return { read: createContractCalls(client, { quoteMarket }).readPreviews(queries, { ...at, ...change }), calls }
  }

  test("default: the market's verdict on each at the block, as its own taker", async () => {
    const taker: Address = '0x4444444444444444444444444444444444444444'
    const queries = [query(first), query(second, { taker }), query(first, { notional: 1n })]
    const { read: reading, calls } = read(queries, (_to, data) =>
      makerAsked(data) === second ? verdict(false, 'NOT_YET') : verdict(true, 'IGNORED'),
    )
    expect(await reading).toEqual([executable, { executable: false, reason: 'NOT_YET', borrowerCost: 7n }, executable])
    expect(calls.map(({ to, block }) => [to, block])).toEqual(queries.map(() => [quoteMarket, named]))
    const takers = calls.map(({ data }) => decodeFunctionData({ abi: quoteMarketAbi, data }).args?.[2])
    expect(takers).toEqual([zeroAddress, taker, zeroAddress])
    const froms = calls.map(({ params }) => (params[0] as { from: Hex }).from)
    expect(froms[1]).toBe(taker)
    expect(froms).not.toContain(zeroAddress)
  })

  test('behavior: a node that does not take hashes of blocks is asked by number, and this is remembered', async () => {
    const blocks: unknown[] = []
    const { client } = createScriptedNode((_to, _data, params) => {
      blocks.push(params[1])
      if (typeof params[1] === 'string') return verdict(true)
      return Promise.reject(refusal(-32_602, 'invalid argument 1: cannot unmarshal object'))
    })
    const { readPreviews } = createContractCalls(client, { quoteMarket })
    for (let read = 0; read < 2; read += 1) expect(await readPreviews([query(first)], at)).toEqual([executable])
    expect(blocks).toEqual([named, '0x4d', '0x4d'])
  })

  test('behavior: a block that the node lacks does not count as such', async () => {
    const blocks: unknown[] = []
    const { client } = createScriptedNode((_to, _data, params) => {
      blocks.push(params[1])
      return Promise.reject(refusal(-32_602, 'BlockOutOfRangeError: block height is 72 but requested was 77'))
    })
    const { readPreviews } = createContractCalls(client, { quoteMarket })
    for (let read = 0; read < 2; read += 1) expect(await readPreviews([query(first)], at)).toEqual([failed('silent')])
    expect(blocks).toEqual([named, '0x4d', named, '0x4d'])
  })

  test('behavior: previews as the given borrower', async () => {
    const borrower: Address = '0x5555555555555555555555555555555555555555'
    const { read: reading, calls } = read([query(first)], () => verdict(true), { borrower })
    expect(await reading).toEqual([executable])
    expect(calls.map(({ params }) => (params[0] as { from: Hex }).from)).toEqual([borrower])
    expect(calls.map(({ data }) => decodeFunctionData({ abi: quoteMarketAbi, data }).args?.[2])).toEqual([borrower])
  })

  const refusedByMarket = { executable: false, reason: 'BAD_SIGNATURE', borrowerCost: 7n }
  test.each([
    ['says no', () => `0x${'0'.repeat(64)}` as Hex, refusedByMarket],
    ['reverts', () => Promise.reject(refusal(3, 'execution reverted')), refusedByMarket],
    ['uses up the gas', () => Promise.reject(outOfGas()), failed('refused')],
    ['cannot be asked', () => Promise.reject(refusal(-32_005, 'limit exceeded')), refusedByMarket],
  ] as const)('behavior: a bad signature of a contract that %s', async (_what, say, expected) => {
    const { read: reading, calls } = read([query(first)], (to) =>
      to === first ? say() : verdict(false, 'BAD_SIGNATURE'),
    )
    expect(await reading).toEqual([expected])
    expect(calls.map(({ to, block }) => [to, block])).toEqual([
      [quoteMarket, named],
      [first, named],
    ])
    // The call has the same form as the market's own call.
    expect(calls[1]?.params[0]).toMatchObject({ from: quoteMarket })
    expect(decodeFunctionData({ abi: erc1271Abi, data: calls[1]?.data ?? '0x' }).args).toEqual([digest, signature])
  })

  test.each([...halts, [3, 'execution reverted'] as [number, string]])(
    'error: %d %s is refused',
    async (code, message) => {
      expect(await read([query(first)], () => Promise.reject(refusal(code, message))).read).toEqual([failed('refused')])
    },
  )

  test('error: what the market did not say is refused', async () => {
    expect(await read([query(first)], () => '0x').read).toEqual([failed('refused')])
  })

  test.each(outages)('error: %d %s is silent', async (code, message) => {
    expect(await read([query(first)], () => Promise.reject(refusal(code, message))).read).toEqual([failed('silent')])
  })

  test('error: no answer in the time of all together is silent, and harms nobody else', async () => {
    jest.useFakeTimers()
    try {
      const queries = [query(first), query(second), query(first, { notional: 1n })]
      let previews: unknown
      const answer = (_to: Address, data: Hex) => (makerAsked(data) === first ? never() : verdict(true))
      void read(queries, answer, { timeoutMs: 1_000 }).read.then((given) => {
        previews = given
      })
      await jest.advanceTimersByTimeAsync(999)
      expect(previews).toBeUndefined()
      await jest.advanceTimersByTimeAsync(1)
      await jest.advanceTimersByTimeAsync(1)
      expect(previews).toEqual([failed('silent'), executable, failed('silent')])
    } finally {
      jest.useRealTimers()
    }
  })

  test.each([
    [true, 1, failed('refused')],
    [false, 3, failed('refused')],
  ])('behavior: stopAtFailure %s asks a contract that has failed %d times', async (stopAtFailure, times, expected) => {
    const queries = [query(first), query(first, { notional: 1n }), query(second), query(first, { notional: 2n })]
    const answer = (_to: Address, data: Hex) =>
      makerAsked(data) === first ? Promise.reject<Hex>(outOfGas()) : verdict(true)
    const { read: reading, calls } = read(queries, answer, { stopAtFailure })
    expect(await reading).toEqual([expected, expected, executable, expected])
    expect(calls.filter(({ data }) => makerAsked(data) === first)).toHaveLength(times)
  })

  test('behavior: keeps querying a contract after a rejection or an outage', async () => {
    const queries = [query(first), query(first, { notional: 1n })]
    let asked = 0
    const answer = async () => {
      asked += 1
      if (asked === 1) throw refusal(-32_005, 'limit exceeded')
      return verdict(true)
    }
    expect(await read(queries, answer, { stopAtFailure: true }).read).toEqual([failed('silent'), executable])
    const no = () => verdict(false, 'NONCE_USED')
    expect(await read(queries, no, { stopAtFailure: true }).read).toMatchObject([
      { reason: 'NONCE_USED' },
      { reason: 'NONCE_USED' },
    ])
  })

  test("behavior: queries every maker's first quote before any second one", async () => {
    const queries = [query(first), query(first, { notional: 1n }), query(second)]
    const { read: reading, calls } = read(queries, () => verdict(true))
    expect(await reading).toEqual(queries.map(() => executable))
    expect(calls.map(({ data }) => makerAsked(data))).toEqual([first, second, first])
  })
})
