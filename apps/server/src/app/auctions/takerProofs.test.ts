// Taker proofs on a real chain: which takers are verified, for what amount, and what happens to the proof.

import type { RFQRequest } from '@firmquote/core'
import { takerAuthTypedData } from '@firmquote/core/protocol'
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
  changes: { taker?: Address; audience?: string; timestamp?: number; shareRecord?: boolean } = {},
) {
  const timestamp = changes.timestamp ?? Math.floor(service.clock.now() / 1_000)
  const auth = { ...domainOf(devnet), taker: address, audience, ...changes, timestamp }
  const signature = await privateKeyToAccount(privateKey).signTypedData(takerAuthTypedData(auth))
  return { taker: auth.taker, takerProof: { timestamp, signature } }
}

async function open(change: Partial<RFQRequest>, requester: Partial<Requester> = {}) {
  return service.hub.open({ ...request, ...change } as RFQRequest, { address: 'one', audience, ...requester })
}

/** Whether an RFQ's taker was verified, or the code if it was refused. */
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
    const foreign = await proofOf(devnet.borrowers[0], { audience: `${audience}.org` })
    expect(await verdictOn(foreign)).toEqual({ code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' })
  })

  test('behavior: a debt counts, exactly and with its interest, once it is old enough', async () => {
    await service.close()
    const [{ address }] = devnet.newcomers
    const [{ market }] = devnet.pools
    const debtOf = { address: devnet.contracts.morphoAdapter, abi: rateAdapterAbi, functionName: 'debtOf' } as const
    const readDebt = () => devnet.publicClient.readContract({ ...debtOf, args: [market, address] })
    // The pools are the newest part of the devnet.
    service = await startRealService(devnet, { limits: anySize, debtAgeBlocks: 100 })
    const proof = await proofOf(devnet.newcomers[0])
    expect(await verdictOn({ ...proof, notional: 1n })).toBe(false)
    await devnet.testClient.mine({ blocks: 101, interval: 2 })
    await service.sync.cycle()
    const owed = await readDebt()
    expect(await verdictOn({ ...proof, notional: owed + 1n })).toBe(false)
    expect(await verdictOn({ ...proof, notional: owed })).toBe(true)
  })

  test('behavior: a contract authenticates with ERC-1271, and a contract that burns its gas does not', async () => {
    const account: Address = '0x00000000000000000000000000000000000c0de1'
    const proof = { ...(await proofOf(devnet.backers[0], { taker: account })), notional: 1n }
    // The contract returns 0x1626ba7e, padded with zeros, for every call.
    await devnet.testClient.setCode({ address: account, bytecode: `0x631626ba7e60e01b60005260206000f3` })
    expect(await verdictOn(proof)).toBe(false)
    for (const bytecode of ['0x5b600056', '0x60006000fd', '0x600160005260206000f3', '0x'] as const) {
      await devnet.testClient.setCode({ address: account, bytecode })
      expect(await verdictOn(proof)).toEqual({ code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' })
    }
  })

  test('error: a proof is valid only with the shareRecord that the taker signed', async () => {
    const [taker] = devnet.borrowers
    const [plain, shared] = [await proofOf(taker), await proofOf(taker, { shareRecord: true })]
    const invalid = { code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' }
    expect(await verdictOn({ ...plain, shareRecord: true })).toEqual(invalid)
    expect(await verdictOn(shared)).toEqual(invalid)
    expect(await verdictOn({ ...shared, shareRecord: false })).toEqual(invalid)
    const recordOf = async (change: Partial<RFQRequest>) => {
      const outcome = await open({ ...change, notional: 1n })
      return outcome.ok ? outcome.value.rfq.takerRecord : outcome.rejection
    }
    expect(await recordOf({ ...plain, shareRecord: false })).toBeUndefined()
    expect(await recordOf({ ...shared, shareRecord: true })).toMatchObject({ asked: 1, taken: 0 })
  })

  test("error: a stolen proof uses up its own slots, and the taker's next proof has others", async () => {
    const openRfqs = 2
    await service.close()
    service = await startRealService(devnet, { limits: { ...anySize, openRfqs } })
    const [taker] = devnet.borrowers
    const small = { notional: 1n }
    const stolen = { ...(await proofOf(taker)), ...small }
    let thefts = 0
    const steal = () => verdictOn(stolen, { address: `thief ${thefts++}` })
    for (let turn = 0; turn < openRfqs; turn += 1) expect(await steal()).toBe(true)
    expect(await steal()).toMatchObject({ code: 'TOO_MANY_OPEN', open: openRfqs })
    service.clock.advance(1_000)
    const own = { ...(await proofOf(taker)), ...small }
    for (let turn = 0; turn < openRfqs; turn += 1) expect(await verdictOn(own)).toBe(true)
    expect(await steal()).toMatchObject({ code: 'TOO_MANY_OPEN', open: openRfqs })
    // All of a taker's proofs together have twice the limit, so that signing more of them gains nothing.
    service.clock.advance(1_000)
    const third = { ...(await proofOf(taker)), ...small }
    expect(await verdictOn(third)).toEqual({ code: 'TOO_MANY_OPEN', open: 2 * openRfqs, limit: 2 * openRfqs })
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

  test('behavior: it is never logged or shown', async () => {
    const proof = await proofOf(devnet.borrowers[0])
    const opened = await open(proof)
    if (!opened.ok) throw new TypeError('refused')
    const told: unknown[] = [opened.value.rfq, service.logs, await service.hub.find(opened.value.rfq.rfqId)]
    const text = JSON.stringify(told, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).not.toContain(proof.takerProof.signature.slice(2, 40))
    expect(text).not.toContain('takerProof')
  })
})
