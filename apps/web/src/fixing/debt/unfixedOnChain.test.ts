// A hedged debt on the real Morpho Blue, through a real service: the app's figures, and the proof of taker.

import type { RFQRequest } from '@firmquote/core'
import { takerAuthTypedData } from '@firmquote/core/protocol'
import { type Devnet, rateAdapterAbi, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainDriver } from '../../../../server/test/chainDriver.ts'
import { signedQuote, startRealService } from '../../../../server/test/realService.ts'
import { domainOf } from '../../../../server/test/signedQuotes.ts'
import { type DebtShare, shareOfDebt } from './unfixed.ts'

const day = 86_400
const usd = (amount: number) => BigInt(amount) * 1_000_000n
const audience = 'https://rfq.example.com'
/** Indexes of the devnet's series. */
const [ofMonth, ofHalfYear] = [1, 3]

let devnet: Devnet
let chain: ReturnType<typeof createChainDriver>
let start: number
let snapshot: Hex

beforeAll(async () => {
  devnet = await startDevnet()
  chain = createChainDriver(devnet)
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  snapshot = await chain.snapshot()
  start = await chain.timestamp()
})
afterEach(() => chain.revert(snapshot))

const borrower = () => devnet.borrowers[0]
const setTime = (timestamp: number) => chain.rpc('evm_setNextBlockTimestamp', [timestamp])
async function travelTo(timestamp: number): Promise<void> {
  await setTime(timestamp)
  await chain.mine(1)
}

const readIndex = () => readMarket('index', [devnet.pools[0].market])
const readDebt = () => readMarket('debtOf', [devnet.pools[0].market, borrower().address])
function readMarket(functionName: 'index' | 'debtOf', args: readonly unknown[]): Promise<bigint> {
  const call = { address: devnet.contracts.morphoAdapter, abi: rateAdapterAbi, functionName, args }
  return devnet.publicClient.readContract(call as never) as Promise<bigint>
}

/** Fixes an amount in a block with this time. */
async function fix(notional: bigint, timestamp: number, series = ofHalfYear): Promise<void> {
  const seriesKey = devnet.pools[0].series[series]?.seriesKey ?? '0x'
  const terms = { seriesKey, notional, vrtAmount: 1n, deadline: maxUint256 }
  const quote = await signedQuote(devnet, devnet.backers[0], terms)
  await setTime(timestamp)
  expect(await chain.take(borrower(), quote)).toMatchObject({ status: '0x1' })
}

/** The account's debt in a future block with this time. */
async function debtAt(timestamp: number): Promise<bigint> {
  const before = await chain.snapshot()
  await travelTo(timestamp)
  const debt = await readDebt()
  await chain.revert(before)
  return debt
}

/**
 * Reads the app's figures, and checks that a proof of taker covers exactly `owed - fixed`. `left` is that difference,
 * which is negative if too much is fixed.
 */
async function look(): Promise<DebtShare & { left: bigint; index: bigint }> {
  const { poolId, series } = devnet.pools[0]
  const service = await startRealService(devnet, { limits: { dustDivisor: 1e15 } })
  try {
    const account = await service.markets.positions({ address: borrower().address })
    const share = shareOfDebt(account, poolId, await chain.timestamp())
    const left = share.owed - share.fixed
    const timestamp = Math.floor(service.clock.now() / 1_000)
    const { address: taker, privateKey } = borrower()
    const auth = takerAuthTypedData({ ...domainOf(devnet), taker, audience, timestamp })
    const signature = await privateKeyToAccount(privateKey).signTypedData(auth)
    const isVerified = async (notional: bigint) => {
      const terms = { poolId, seriesKey: series[ofHalfYear]?.seriesKey, notional }
      const request = { ...terms, taker, takerProof: { timestamp, signature } } as RFQRequest
      const outcome = await service.hub.open(request, { address: 'one', audience })
      if (!outcome.ok) throw new TypeError(`refused: ${outcome.rejection.code}`)
      return outcome.value.rfq.takerVerified
    }
    expect(await isVerified((left > 0n ? left : 0n) + 1n)).toBe(false)
    if (left > 0n) expect(await isVerified(left)).toBe(true)
    return { ...share, left, index: await readIndex() }
  } finally {
    await service.close()
  }
}

/** The distance between two amounts. */
const between = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

describe('a hedged debt', () => {
  test('default: a debt that is fixed to the unit stays fixed, up to one unit of rounding', async () => {
    const opened = start + 60
    const debt = await debtAt(opened)
    await fix(debt, opened)
    expect(await look()).toMatchObject({ owed: debt, fixed: debt, left: 0n })
    for (const days of [1, 30, 90]) {
      await travelTo(opened + days * day)
      const { owed, fixed, left, unfixed, overfixed } = await look()
      // 6.25 % a year on 3,000,000 tUSD.
      expect(Number(owed - debt) / Number(debt)).toBeCloseTo((0.0625 * days) / 365, 3)
      expect(fixed).toBeGreaterThan(debt)
      // Morpho rounds the debt up at the opening and now, and the payout is rounded down.
      expect(between(left, 0n)).toBeLessThanOrEqual(1n)
      expect([unfixed, overfixed]).toEqual([0n, 0n])
    }
  })

  test.each([
    ['part of it', [{ days: 0, amount: usd(1_000_000) }]],
    ['more than all of it', [{ days: 0, amount: usd(3_500_000) }]],
    [
      'in several positions of different ages',
      [
        { days: 0, amount: usd(1_000_000) },
        { days: 20, amount: usd(500_000) },
        { days: 45, amount: usd(1_250_000) },
      ],
    ],
  ])('behavior: %s is fixed, and only the rest floats', async (_what, openings) => {
    for (const { days, amount } of openings) await fix(amount, start + 60 + days * day)
    const opened = await chain.timestamp()
    const before = await look()
    expect(before.left < 0n).toBe(before.overfixed > 0n)
    for (const days of [1, 30, 90]) {
      await travelTo(opened + days * day)
      const { left, index, unfixed, overfixed } = await look()
      const floated = (before.left * index) / before.index
      // The debt and the interest of each position are each rounded once, at the opening and now.
      const rounding = 2n * BigInt(openings.length + 1)
      expect(between(left, floated)).toBeLessThanOrEqual(rounding)
      expect([unfixed, overfixed]).toEqual(left > 0n ? [left, 0n] : [0n, -left])
    }
  })

  test('behavior: a position that has expired fixes nothing, settled or not', async () => {
    await fix(usd(3_000_000), start + 60, ofMonth)
    const expiry = devnet.pools[0].series[ofMonth]?.expiry ?? 0
    await travelTo(expiry - 1)
    expect(await look()).toMatchObject({ unfixed: 0n })
    await travelTo(expiry)
    const { owed, unfixed } = await look()
    expect(unfixed).toBe(owed)
    // The only position on the chain has this ID.
    expect(await chain.settle(1n)).toMatchObject({ status: '0x1' })
    const settled = await look()
    expect(settled).toMatchObject({ fixed: 0n, unfixed: settled.owed })
  })
})
