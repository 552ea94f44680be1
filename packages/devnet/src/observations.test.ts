import { beforeEach, describe, expect, it } from '@jest/globals'
import {
  type Address,
  encodeFunctionData,
  formatUnits,
  type Hex,
  maxUint256,
  numberToHex,
  parseUnits,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { createBatchWallet } from './createBatchWallet.ts'
import { createTestPool, type TestPool } from './createTestPool.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { devnetMarkets } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { morphoAbi } from './generated/morpho.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { eventsOf, type TestQuote } from './testMaker.ts'

const pool = { address: devnetAddresses.interestRatePool, abi: interestRatePoolAbi } as const
const ray = 10n ** 27n

useTestDevnet()

const dataOf = (functionName: 'observe' | 'checkpoint', seriesKey: Hex) =>
  encodeFunctionData({ ...pool, functionName, args: [seriesKey] })
const settleData = (id: bigint) => encodeFunctionData({ ...pool, functionName: 'settle', args: [id] })

/** Sends a transaction at `timestamp`, with enough gas for any call to the pool. */
async function sendAt(timestamp: bigint, data: Hex, to: Address = pool.address): Promise<TransactionReceipt> {
  await devnet.testClient.setNextBlockTimestamp({ timestamp })
  return testMaker.send(devnet.deployer, to, data, 1_000_000n)
}

async function open(changes: Partial<TestQuote>): Promise<{ positionId: bigint; receipt: TransactionReceipt }> {
  const quote = await testMaker.quote({ deadline: maxUint256, ...changes })
  return testMaker.take(quote, await testMaker.sign(quote))
}

describe('observe', () => {
  let terms: Pick<TestPool, 'poolId' | 'seriesKey'>
  let expiry: bigint
  let setIndex: TestPool['setIndex']

  beforeEach(async () => {
    const { poolId, seriesKey, ...rest } = await createTestPool(devnet, devnet.contracts.loanToken)
    terms = { poolId, seriesKey }
    ;({ expiry, setIndex } = rest)
  })

  const read = (functionName: 'observations' | 'checkpoints') =>
    devnet.publicClient.readContract({ ...pool, functionName, args: [terms.seriesKey] })
  const indexAtExpiry = () =>
    devnet.publicClient.readContract({ ...pool, functionName: 'indexAtExpiry', args: [terms.seriesKey] })
  const observeAt = async (timestamp: bigint, index: bigint) => {
    await setIndex(index)
    return sendAt(timestamp, dataOf('observe', terms.seriesKey))
  }
  const checkpointAt = async (timestamp: bigint, index: bigint) => {
    await setIndex(index)
    return sendAt(timestamp, dataOf('checkpoint', terms.seriesKey))
  }

  it('default: the last reading before the expiry replaces earlier ones and the last opening', async () => {
    await open(terms)
    await observeAt(expiry - 500n, ray + 700n)
    const receipt = await observeAt(expiry - 100n, ray + 1_000n)
    const { seriesKey } = terms
    expect(eventsOf(receipt, 'SeriesObserved').map(({ args }) => args)).toEqual([
      { seriesKey, index: ray + 1_000n, readAt: expiry - 100n },
    ])
    expect(await read('observations')).toEqual([ray + 1_000n, expiry - 100n])
    expect(await read('checkpoints')).toEqual([0n, 0n])
    expect(await indexAtExpiry()).toBe(0n)
    await checkpointAt(expiry + 900n, ray + 1_099n)
    // 1,000 + 99 * 100 / 1,000, rounded down
    expect(await indexAtExpiry()).toBe(ray + 1_009n)
  })

  it('behavior: up to the second before the expiry it observes, from the expiry on it is the checkpoint', async () => {
    await open(terms)
    await observeAt(expiry - 1n, ray)
    const { seriesKey } = terms
    const first = await observeAt(expiry, ray + 10n)
    expect(eventsOf(first, 'SeriesObserved')).toEqual([])
    expect(eventsOf(first, 'SeriesCheckpointed').map(({ args }) => args)).toEqual([
      { seriesKey, index: ray + 10n, readAt: expiry, indexAtExpiry: ray + 10n },
    ])
    expect((await observeAt(expiry + 10n, ray + 20n)).logs).toEqual([])
    expect((await checkpointAt(expiry + 20n, ray + 20n)).logs).toEqual([])
    expect(await read('observations')).toEqual([ray, expiry - 1n])
    expect(await read('checkpoints')).toEqual([ray + 10n, expiry])
  })

  it.each([
    ['in the same second', 0n, 500n],
    ['one second later', 1n, 799n],
  ])('behavior: an opening takes precedence over a reading %s only if it is not older', async (_, later, expected) => {
    const at = expiry - 600n
    await devnet.testClient.setNextBlockTimestamp({ timestamp: at })
    await open(terms)
    await devnet.testClient.setNextBlockTimestamp({ timestamp: at })
    await observeAt(at + later, ray + 600n)
    expect(await read('observations')).toEqual([ray + 600n, at + later])
    await checkpointAt(expiry + 600n, ray + 1_000n)
    // 1,000 * 600 / 1,200, or 600 + 400 * 599 / 1,199
    expect(await indexAtExpiry()).toBe(ray + expected)
  })

  it.each([
    ['counts as unchanged after the observation if it fell since', 900n, 800n, 900n],
    ['starts from an observation that is below the last opening', -400n, 600n, 100n],
    ['of a checkpoint equal to the observation is that index', 900n, 900n, 900n],
  ])('behavior: the index %s', async (_, observed, atCheckpoint, expected) => {
    await open(terms)
    await observeAt(expiry - 100n, ray + observed)
    await checkpointAt(expiry + 100n, ray + atCheckpoint)
    expect(await indexAtExpiry()).toBe(ray + expected)
  })

  it('behavior: a series without positions can be observed and checkpointed', async () => {
    await observeAt(expiry - 100n, ray)
    await checkpointAt(expiry + 100n, ray + 1_000n)
    expect(await indexAtExpiry()).toBe(ray + 500n)
  })

  it('behavior: an observation beyond 192 bits is cut off and locks nothing', async () => {
    const { positionId } = await open({ ...terms, notional: 1_000_000n })
    await observeAt(expiry - 100n, maxUint256)
    expect(await read('observations')).toEqual([2n ** 192n - 1n, expiry - 100n])
    const receipt = await sendAt(expiry + 100n, settleData(positionId))
    expect(eventsOf(receipt, 'PositionSettled')[0]?.args.toBorrower).toBe(1_000_000n)
  })

  it('behavior: an opening costs the same gas before and after an observation', async () => {
    await open(terms)
    const fresh = await open(terms)
    await observeAt(expiry - 500n, ray)
    const observed = await open(terms)
    // A zero byte in a signature costs 12 gas less than another byte. A cold slot would cost 2,100 more.
    const difference = Number(observed.receipt.gasUsed - fresh.receipt.gasUsed)
    expect(Math.abs(difference)).toBeLessThan(200)
  })

  it('error: an unknown series', async () => {
    const data = dataOf('observe', zeroHash)
    expect(await testMaker.revertOf(devnet.deployer.address, pool.address, data)).toBe(`SeriesNotFound(${zeroHash})`)
  })
})

describe('observe, on Morpho', () => {
  const [{ params, supply }] = devnetMarkets
  const toMorpho = (functionName: 'supply' | 'withdraw' | 'borrow' | 'repay', amount: bigint, by: Address) => {
    const given = { abi: morphoAbi } as const
    const data =
      functionName === 'supply' || functionName === 'repay'
        ? encodeFunctionData({ ...given, functionName, args: [params, amount, 0n, by, '0x'] })
        : encodeFunctionData({ ...given, functionName, args: [params, amount, 0n, by, by] })
    return { to: devnet.contracts.morpho, data }
  }
  const tokenCall = (data: Hex) => ({ to: devnet.contracts.loanToken, data })
  const fund = (to: Address, amount: bigint) => [
    tokenCall(encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amount] })),
    tokenCall(
      encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [devnet.contracts.morpho, maxUint256] }),
    ),
  ]

  it('behavior: no supply, borrow or repayment in the same transaction moves a reading', async () => {
    const seriesKey = devnet.pools[0].series[0]?.seriesKey ?? zeroHash
    const { address } = testMaker.borrower
    const at = (await testMaker.now()) + 86_400n
    const clean = await devnet.testClient.snapshot()
    const alone = eventsOf(await sendAt(at, dataOf('observe', seriesKey)), 'SeriesObserved')
    await devnet.testClient.revert({ id: clean })

    // The borrower has as many tokens as a flash loan could provide, and all of them leave again.
    const [lots, some] = [1_000n * supply, parseUnits('1000000', 6)]
    const observe = { to: pool.address, data: dataOf('observe', seriesKey) }
    const wallet = createBatchWallet(devnet, { address })
    await devnet.testClient.setNextBlockTimestamp({ timestamp: at })
    const calls = [
      ...fund(address, lots),
      observe,
      toMorpho('repay', some, address),
      observe,
      toMorpho('borrow', 2n * some, address),
      observe,
      toMorpho('repay', some, address),
      toMorpho('supply', lots - some, address),
      observe,
      toMorpho('withdraw', lots - 2n * some, address),
      observe,
    ]
    const { id } = (await wallet.request({
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', chainId: numberToHex(devnet.chainId), from: address, atomicRequired: true, calls }],
    })) as { id: Hex }
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash: id })
    expect(receipt.status).toBe('success')
    const readings = eventsOf(receipt, 'SeriesObserved').map(({ args }) => args)
    expect(readings).toHaveLength(5)
    const reading = alone[0]?.args.index ?? 0n
    for (const { index, readAt } of readings) {
      expect(readAt).toBe(at)
      // Morpho rounds shares in its own favour, by at most one share per call.
      expect((reading - index) * 10n ** 18n).toBeLessThan(reading)
      expect(index).toBeLessThanOrEqual(reading)
    }
  })

  it('behavior: a reading an hour before the expiry removes the error of a checkpoint 90 days late', async () => {
    const series = devnet.pools[0].series[2]
    const expiry = BigInt(series?.expiry ?? 0)
    const seriesKey = series?.seriesKey ?? zeroHash
    const { positionId } = await open({ seriesKey, notional: parseUnits('3000000', 6) })
    const toBorrowerAt = async (timestamp: bigint) => {
      const [settled] = eventsOf(await sendAt(timestamp, settleData(positionId)), 'PositionSettled')
      return settled?.args.toBorrower ?? 0n
    }
    const apart = async <Result>(run: () => Promise<Result>): Promise<Result> => {
      const id = await devnet.testClient.snapshot()
      const result = await run()
      await devnet.testClient.revert({ id })
      return result
    }
    /** Lets the rate fall at the expiry, by a supply many times the debts, and settles 90 days later. */
    const settleLate = async () => {
      const { address } = devnet.deployer
      const lots = 1_000n * supply
      for (const { to, data } of fund(address, lots)) await testMaker.send(devnet.deployer, to, data)
      const { to, data } = toMorpho('supply', lots, address)
      await sendAt(expiry, data, to)
      return toBorrowerAt(expiry + 90n * 86_400n)
    }
    const onTime = await apart(() => toBorrowerAt(expiry))
    const late = await apart(settleLate)
    const observed = await apart(async () => {
      await sendAt(expiry - 3_600n, dataOf('observe', seriesKey))
      return settleLate()
    })
    const units = (amount: bigint) => Number(formatUnits(amount, 6))
    // Out of 47,555, the error is 19,716 without the reading and 18 with it.
    expect(units(onTime - late)).toBeGreaterThan(units(onTime) / 4)
    expect(units(onTime - observed)).toBeGreaterThan(0)
    expect(units(onTime - observed)).toBeLessThan(20)
  })
})
