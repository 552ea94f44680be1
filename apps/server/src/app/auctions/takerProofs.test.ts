// Proofs of taker against a real chain: who is verified, up to what, and what becomes of the proof.

import { type RFQRequest, takerAuthTypedData } from '@firmquote/core'
import { type Devnet, type DevnetAccount, rateAdapterAbi, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type RealService, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import type { Requester } from '../service.ts'

const audience = 'https://rfq.example.com'
const anySize = { dustDivisor: 1e15 }
let devnet: Devnet
let service: RealService
let request: RFQRequest
let debt: bigint

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  service = await startRealService(devnet, { limits: anySize })
  const [{ poolId, market, series }] = devnet.pools
  const seriesKey = series[1]?.seriesKey
  if (!seriesKey) throw new RangeError('There is no second series.')
  debt = await devnet.publicClient.readContract({
    address: devnet.contracts.morphoAdapter,
    abi: rateAdapterAbi,
    functionName: 'debtOf',
    args: [market, devnet.borrowers[0].address],
  })
  request = { poolId, seriesKey, notional: debt }
})
afterEach(() => service.close())

async function proofOf(
  { privateKey, address }: Pick<DevnetAccount, 'privateKey' | 'address'>,
  changes: { taker?: Address; audience?: string; timestamp?: number } = {},
) {
  const timestamp = changes.timestamp ?? Math.floor(service.clock.now() / 1_000)
  const auth = { ...domainOf(devnet), taker: address, audience, ...changes, timestamp }
  const signature = await privateKeyToAccount(privateKey).signTypedData(takerAuthTypedData(auth))
  return { taker: auth.taker, takerProof: { timestamp, signature } }
}

async function open(change: Partial<RFQRequest>, requester: Partial<Requester> = {}) {
  return service.hub.open({ ...request, ...change } as RFQRequest, { address: 'one', audience, ...requester })
}

/** Whether the taker of an RFQ was verified; its code when it was refused. */
async function verdictOn(change: Partial<RFQRequest>, requester: Partial<Requester> = {}) {
  const outcome = await open(change, requester)
  return outcome.ok ? outcome.value.rfq.takerVerified : outcome.rejection
}

describe('a proof of taker', () => {
  test('default: a taker is verified up to its debt, exactly', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    const tooMuch = await open({ ...proof, notional: debt + 1n })
    expect(tooMuch).toMatchObject({ ok: true, value: { rfq: { takerVerified: false, taker: proof.taker } } })
    expect(await verdictOn(proof)).toBe(true)
  })

  test('behavior: without a proof, or without a debt, an RFQ is unverified', async () => {
    expect(await verdictOn({ taker: devnet.borrowers[0].address, notional: 1n })).toBe(false)
    expect(await verdictOn({ notional: 1n })).toBe(false)
    expect(await verdictOn({ ...(await proofOf(devnet.backers[0])), notional: 1n })).toBe(false)
  })

  test('behavior: open RFQs share one debt, also when they come at once, and give it back at their end', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    const half = debt / 2n + 1n
    const both = await Promise.all([1, 2].map(() => verdictOn({ ...proof, notional: half })))
    expect(both.sort()).toEqual([false, true])
    expect(await verdictOn({ ...proof, notional: debt - half })).toBe(true)
    expect(await verdictOn({ ...proof, notional: 1n })).toBe(false)
    service.clock.advance(15_000)
    // The stores of the four auctions close in turns of their own.
    while (service.hub.count().open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await verdictOn(proof)).toBe(true)
  })

  test('behavior: what an earlier process had opened is still reserved after a restart', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    expect(await verdictOn({ ...proof, notional: debt })).toBe(true)
    const next = service.startInstance()
    await next.hub.resume()
    await next.sync.cycle()
    const again = await next.hub.open({ ...request, ...proof, notional: 1n } as RFQRequest, {
      address: 'one',
      audience,
    })
    expect(again).toMatchObject({ ok: true, value: { rfq: { takerVerified: false } } })
  })

  test('behavior: what is fixed no longer counts', async () => {
    const borrower = devnet.borrowers[0].address
    const { poolId, seriesKey = '0x' } = request
    const fixed = { positionId: 1n, borrower, poolId, seriesKey, notional: debt - 5n, cost: 1n, index: 1n }
    const position = { ...fixed, maker: devnet.backers[0].address, openedAtBlock: 1n }
    await service.close()
    service = await startRealService(devnet, {
      limits: anySize,
      withStore: (store) => ({ ...store, listOpenPositions: async () => [position] }),
    })
    const proof = await proofOf(devnet.borrowers[0])
    expect(await verdictOn({ ...proof, notional: 6n })).toBe(false)
    expect(await verdictOn({ ...proof, notional: 5n })).toBe(true)
  })

  test('behavior: a contract proves itself by ERC-1271, and one that burns its gas does not', async () => {
    const account: Address = '0x00000000000000000000000000000000000c0de1'
    const proof = { ...(await proofOf(devnet.backers[0], { taker: account })), notional: 1n }
    // Answers every call with 0x1626ba7e and zeros.
    await devnet.testClient.setCode({ address: account, bytecode: `0x631626ba7e60e01b60005260206000f3` })
    expect(await verdictOn(proof)).toBe(false)
    for (const bytecode of ['0x5b600056', '0x60006000fd', '0x600160005260206000f3', '0x'] as const) {
      await devnet.testClient.setCode({ address: account, bytecode })
      expect(await verdictOn(proof)).toEqual({ code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' })
    }
  })

  test('behavior: a verified taker has quotas of its own', async () => {
    await service.close()
    service = await startRealService(devnet, { limits: { ...anySize, openRfqs: 1, rfqsPerMinute: 100 } })
    const proof = await proofOf(devnet.borrowers[0])
    expect(await verdictOn({})).toBe(false)
    expect(await verdictOn({})).toMatchObject({ code: 'TOO_MANY_OPEN' })
    expect(await verdictOn({ ...proof, notional: 1n })).toBe(true)
    expect(await verdictOn({ ...proof, notional: 1n }, { address: 'two' })).toMatchObject({ code: 'TOO_MANY_OPEN' })
    // What a refused RFQ had reserved is free again.
    service.clock.advance(15_000)
    while (service.hub.count().open > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await verdictOn(proof)).toBe(true)
  })

  test('behavior: the same request with a fresh proof and the same key is the same auction', async () => {
    const key = 'k'.repeat(22)
    const first = await open(await proofOf(devnet.borrowers[0]), { key })
    service.clock.advance(1_000)
    const second = await open(await proofOf(devnet.borrowers[0]), { key })
    const third = await open({ taker: devnet.borrowers[0].address }, { key })
    if (!first.ok || !second.ok || !third.ok) throw new TypeError('refused')
    expect(second.value.rfq).toEqual(first.value.rfq)
    expect(third.value.rfq).toEqual(first.value.rfq)
    expect(await verdictOn({ ...(await proofOf(devnet.borrowers[0])), notional: 1n }, { key })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })

  test('behavior: nothing of it is logged, or told to anyone', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    const opened = await open(proof)
    if (!opened.ok) throw new TypeError('refused')
    const told: unknown[] = [opened.value.rfq, service.logs, await service.hub.find(opened.value.rfq.rfqId)]
    const text = JSON.stringify(told, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain(proof.takerProof.signature.slice(2, 40))
    expect(text).not.toContain('takerProof')
  })
})

describe('an invalid proof of taker', () => {
  test.each<[string, () => Promise<Partial<RFQRequest>>, string]>([
    ['for another audience', () => proofOf(devnet.borrowers[0], { audience: `${audience}.org` }), 'bad_signature'],
    ['of another key', () => proofOf(devnet.backers[0], { taker: devnet.borrowers[0].address }), 'bad_signature'],
    ['from 61 seconds ahead', () => proofOf(devnet.borrowers[0], { timestamp: now() + 61 }), 'timestamp_out_of_window'],
    ['of a day before', () => proofOf(devnet.borrowers[0], { timestamp: now() - 86_401 }), 'timestamp_out_of_window'],
    ['without a taker', async () => ({ takerProof: (await proofOf(devnet.borrowers[0])).takerProof }), 'no_taker'],
  ])('error: one %s', async (_what, given, reason) => {
    expect(await verdictOn(await given())).toEqual({ code: 'TAKER_PROOF_INVALID', reason })
    expect(service.hub.count().open).toBe(0)
  })

  test('error: a request that names no audience has no valid proof', async () => {
    const outcome = await service.hub.open({ ...request, ...(await proofOf(devnet.borrowers[0])) }, { address: 'one' })
    expect(outcome).toMatchObject({ rejection: { code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' } })
  })

  test('error: a chain that cannot be read leaves it unknown', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    service.node.interfere = ({ method }) => (method === 'eth_call' ? { status: 503 } : undefined)
    expect(await verdictOn(proof)).toEqual({ code: 'CHAIN_UNAVAILABLE' })
    expect(await verdictOn(await proofOf(devnet.backers[0], { taker: proof.taker }))).toEqual({
      code: 'CHAIN_UNAVAILABLE',
    })
    service.node.interfere = () => undefined
    expect(await verdictOn(proof)).toBe(true)
  })

  test('error: five times as many proofs are checked as RFQs may be sent, then none', async () => {
    await service.close()
    service = await startRealService(devnet, { limits: { rfqsPerMinute: 1 } })
    const bad = { ...(await proofOf(devnet.borrowers[0], { audience: 'https://other.example' })) }
    for (let n = 0; n < 5; n += 1) expect(await verdictOn(bad)).toMatchObject({ code: 'TAKER_PROOF_INVALID' })
    expect(await verdictOn(bad)).toEqual({ code: 'RATE_LIMITED', retryAfterSeconds: 60 })
    expect(await verdictOn(await proofOf(devnet.borrowers[0]), { address: 'two' })).toBe(true)
  })
})

const now = () => Math.floor(service.clock.now() / 1_000)
