// Taker proof verification against a scripted chain.

import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { hashTakerAuth } from '@firmquote/core/protocol'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, zeroAddress } from 'viem'
import { hashOf, maker, now, other, poolId, seriesKey } from '../../../test/storedQuotes.ts'
import { OverloadedError } from '../../ports/errors.ts'
import { createTakerProofs } from './takerProofs.ts'

const audience = 'https://rfq.example.com'
const domain = { chainId: 8453, quoteMarket: zeroAddress }
const timestamp = Number(now)
const signature: Hex = `0x${'ab'.repeat(65)}`
const request: RFQRequest = { poolId, seriesKey, notional: 1n, taker: other, takerProof: { timestamp, signature } }
const pool = { poolId, loanToken: maker, adapter: zeroAddress, market: hashOf(7) }
/** The index has grown by a tenth since the position was opened. */
const [openingIndex, index] = [10n, 11n]
const position = { borrower: other, poolId, notional: 30n, cost: 1n, index: openingIndex, expiry: Number(now) + 1 }
const expired = { ...position, expiry: Number(now) }

type Deps = Parameters<typeof createTakerProofs>[0]
let signer: Address | null
let accepts: boolean | null
let cursors: ({ number: bigint; hash: Hex; timestamp: bigint } | null)[]
let asked: string[]
let readDebt: (block: number) => Promise<bigint | null>
let [debtAgeBlocks, synced]: [age: number, blocks: number[]] = [0, []]

const block = (n: number) => ({ number: BigInt(n), hash: hashOf(n), timestamp: now })

beforeEach(() => {
  signer = other
  accepts = false
  cursors = [block(1)]
  asked = []
  readDebt = async () => 100n
  debtAgeBlocks = 0
  synced = []
})

function prove(change: Partial<RFQRequest> = {}, nowMs = timestamp * 1_000) {
  const deps = {
    ...{ domain, debtAgeBlocks },
    clock: { now: () => nowMs },
    signatures: {
      hashQuote: () => '0x',
      async recoverSigner(digest: Hex, given: Hex) {
        expect(digest).toBe(
          hashTakerAuth({ ...domain, taker: other, audience, timestamp: change.takerProof?.timestamp ?? timestamp }),
        )
        expect(given).toBe(signature)
        return signer === null ? { problem: 'unrecoverable' } : { signer }
      },
    },
    chain: {
      async readTakerSignature(given: { account: Address }) {
        asked.push(`contract ${given.account}`)
        return accepts
      },
      async readDebt({ account, block }: { account: Address; block: { number: bigint; parentHash?: Hex } }) {
        const at = Number(block.number)
        asked.push(`debt ${account} at ${at}`)
        expect(block.parentHash).toBe(synced.includes(at - 1) ? hashOf(at - 1) : undefined)
        const debt = await readDebt(at)
        return debt === null ? null : { debt, index }
      },
    },
    store: {
      listPools: async () => [{ ...pool, poolId: hashOf(1) }, pool],
      findSyncPosition: async () => ({
        cursor: cursors.length > 1 ? cursors.shift() : cursors[0],
        blocks: synced.map(block),
      }),
      listTaken: async (account: Address) => (account === other ? taken : new Map()),
      listOpenPositions: async () => [
        position,
        expired,
        { ...position, poolId: hashOf(1) },
        { ...position, borrower: maker },
      ],
    },
  } as unknown as Deps
  return { proven: createTakerProofs(deps), request: { ...request, ...change } as RFQRequest }
}
const run = (change?: Partial<RFQRequest>, nowMs?: number) => {
  const { proven, request: asks } = prove(change, nowMs)
  return proven(asks, audience)
}
const refused = (reason: string) => ({ ok: false, rejection: { code: 'TAKER_PROOF_INVALID', reason } })
const unavailable = { ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } }

const taken = new Map([['ab'.repeat(16), 7n]])

describe('a proof', () => {
  test('default: the debt and its fixed part at the synced block', async () => {
    expect(await run()).toEqual({ ok: true, value: { taker: other, poolId, debt: 100n, fixed: 33n, taken } })
    expect(asked).toEqual([`debt ${other} at 1`])
  })

  test('behavior: no debt without a proof or for an unknown pool', async () => {
    const { proven, request: asks } = prove()
    const { takerProof: _, ...without } = asks
    expect(await proven(without, audience)).toEqual({ ok: true, value: null })
    expect(await run({ poolId: hashOf(9) })).toEqual({ ok: true, value: null })
    expect(asked).toEqual([])
  })

  test('error: it names no account', async () => {
    const { proven, request: asks } = prove()
    const { taker: _, ...without } = asks
    expect(await proven(without, audience)).toEqual(refused('no_taker'))
  })

  test.each([
    [60, true],
    [61, false],
    [-86_400, true],
    [-86_401, false],
  ])('behavior: whether a proof signed %d seconds from now is valid: %p', async (seconds, isValid) => {
    const outcome = await run({ takerProof: { timestamp: timestamp + seconds, signature } })
    expect(outcome).toEqual(isValid ? expect.objectContaining({ ok: true }) : refused('timestamp_out_of_window'))
  })

  test.each([
    ['of another key', maker],
    ['that nobody can have made', null],
  ])('behavior: a signature %s is checked by the taker contract', async (_what, recovered) => {
    signer = recovered
    expect(await run()).toEqual(refused('bad_signature'))
    accepts = true
    expect(await run()).toMatchObject({ ok: true, value: { debt: 100n } })
    accepts = null
    expect(await run()).toEqual(unavailable)
    expect(asked).toEqual([`contract ${other}`, `contract ${other}`, `debt ${other} at 1`, `contract ${other}`])
  })
})

describe('the block', () => {
  test('behavior: it may move during a read, which is then repeated up to twice', async () => {
    cursors = [block(1), block(2), block(2), block(3), block(3)]
    expect(await run()).toMatchObject({ ok: true })
    expect(asked).toEqual([1, 2, 3].map((n) => `debt ${other} at ${n}`))
  })

  test('error: it moves during every read', async () => {
    cursors = [1, 2, 3, 4, 5, 6, 7].map(block)
    expect(await run()).toEqual(unavailable)
    expect(asked).toHaveLength(3)
  })

  test('error: no block is synced, or none any longer', async () => {
    cursors = [null]
    expect(await run()).toEqual(unavailable)
    expect(asked).toEqual([])
    cursors = [block(1), null]
    expect(await run()).toEqual(unavailable)
  })
})

describe('the age of a debt', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

  beforeEach(() => {
    debtAgeBlocks = 10
    cursors = [block(100)]
    synced = numbers(89, 100)
  })

  test('default: the smallest debt of all the blocks read counts', async () => {
    expect(await run()).toMatchObject({ ok: true, value: { debt: 100n } })
    const blocks = asked.map((one) => Number(one.split(' ').at(-1)))
    expect(blocks).toHaveLength(10)
    expect([Math.min(...blocks), Math.max(...blocks)]).toEqual([90, 100])
    for (const lowered of blocks) {
      readDebt = async (at) => (at === lowered ? 40n : 100n)
      expect(await run()).toMatchObject({ ok: true, value: { debt: 40n } })
    }
  })

  test('behavior: a block that is not synced, or whose pool has no debts yet, counts as one without a debt', async () => {
    synced = numbers(90, 100)
    expect(await run()).toMatchObject({ ok: true, value: { debt: 0n } })
    expect(asked).not.toContain(`debt ${other} at 90`)
    synced = numbers(89, 100)
    readDebt = async (at) => (at === 90 ? null : 100n)
    expect(await run()).toMatchObject({ ok: true, value: { debt: 0n } })
  })

  test('behavior: of a chain with fewer blocks, no debt counts', async () => {
    cursors = [block(9)]
    synced = numbers(0, 9)
    expect(await run()).toMatchObject({ ok: true, value: { debt: 0n } })
  })

  test('error: a node that lacks an older state causes a refusal', async () => {
    readDebt = async (at) => (at === 90 ? Promise.reject(new ChainUnavailableError('pruned')) : 100n)
    expect(await run()).toEqual(unavailable)
  })
})

describe('failures', () => {
  test('error: the adapter returns no debt at the newest block', async () => {
    readDebt = async () => null
    expect(await run()).toEqual(unavailable)
  })

  test.each([
    [new ChainUnavailableError('no answer'), 'CHAIN_UNAVAILABLE'],
    [new OverloadedError(), 'OVERLOADED'],
  ])('error: %p causes a refusal', async (error, code) => {
    readDebt = async () => Promise.reject(error)
    expect(await run()).toEqual({ ok: false, rejection: { code } })
  })

  test('error: a programming error is rethrown', async () => {
    readDebt = async () => Promise.reject(new TypeError('a bug'))
    await expect(run()).rejects.toThrow('a bug')
  })

  test('behavior: a thousand are checked concurrently; an answer frees a slot', async () => {
    const waiting: ((debt: bigint) => void)[] = []
    readDebt = () => new Promise((resolve) => waiting.push(resolve))
    const { proven, request: asks } = prove()
    const running = Array.from({ length: 1_000 }, () => proven(asks, audience))
    expect(await proven(asks, audience)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    while (waiting.length < 1_000) await new Promise((resolve) => setImmediate(resolve))
    waiting[0]?.(1n)
    await running[0]
    readDebt = async () => 2n
    expect(await proven(asks, audience)).toMatchObject({ value: { debt: 2n } })
    for (const answer of waiting) answer(1n)
    await Promise.all(running)
  })
})
