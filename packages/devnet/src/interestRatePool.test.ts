import { beforeEach, describe, expect, it } from '@jest/globals'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { createTestPool, deployContract, type TestPool } from './createTestPool.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { devnetMarkets, seriesCap, seriesKeyOf } from './devnetMarkets.ts'
import { feeTokenAbi, feeTokenBytecode } from './generated/feeToken.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { keeperBundlerAbi } from './generated/keeperBundler.ts'
import { morphoBlueAdapterAbi } from './generated/morphoBlueAdapter.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { eventsOf, type TestQuote } from './testMaker.ts'

const pool = { address: devnetAddresses.interestRatePool, abi: interestRatePoolAbi } as const

useTestDevnet()

const nearestExpiry = () => BigInt(devnet.pools[0].series[0]?.expiry ?? 0)
const settleData = (id: bigint) => encodeFunctionData({ ...pool, functionName: 'settle', args: [id] })
/** Settles with a fixed gas limit, because an estimate uses the last block's time, which may be before the expiry. */
const settle = async (id: bigint): Promise<TransactionReceipt> => {
  const hash = await devnet
    .walletClient(devnet.deployer)
    .sendTransaction({ to: pool.address, data: settleData(id), gas: 300_000n })
  const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return receipt
}
const positionOf = async (id: bigint) => {
  const [, , openedAt, settled, , , notional, cost, indexAtOpen] = await devnet.publicClient.readContract({
    ...pool,
    functionName: 'positions',
    args: [id],
  })
  return { notional, cost, indexAtOpen, openedAt, settled }
}
const owed = () =>
  devnet.publicClient.readContract({ ...pool, functionName: 'owed', args: [devnet.contracts.loanToken] })
const creditOf = (account: Address) =>
  devnet.publicClient.readContract({
    ...pool,
    functionName: 'credits',
    args: [account, devnet.contracts.loanToken],
  })

async function open(changes: Partial<TestQuote> = {}): Promise<bigint> {
  const quote = await testMaker.quote(changes)
  return (await testMaker.take(quote, await testMaker.sign(quote))).positionId
}

/** Settles a position and checks that the whole deposit is credited to the two parties, in the events' amounts. */
async function settleAndCheck(id: bigint) {
  const token = devnet.contracts.loanToken
  const [maker, borrower] = [testMaker.maker.address, testMaker.borrower.address]
  const before = await Promise.all([creditOf(maker), creditOf(borrower), owed(), testMaker.balanceOf(pool.address)])
  const receipt = await settle(id)
  const after = await Promise.all([creditOf(maker), creditOf(borrower), owed(), testMaker.balanceOf(pool.address)])
  const [toMaker, toBorrower, ...held] = after.map((amount, position) => amount - (before[position] ?? 0n)) as [
    bigint,
    bigint,
    ...bigint[],
  ]
  const { notional, cost, settled } = await positionOf(id)

  expect(settled).toBe(true)
  expect(toMaker + toBorrower).toBe(notional + cost)
  expect(held).toEqual([0n, 0n])
  expect(eventsOf(receipt, 'PositionSettled').map(({ args }) => args)).toEqual([
    { positionId: id, toBorrower, toMaker },
  ])
  expect(eventsOf(receipt, 'Credited').map(({ args }) => args)).toEqual(
    [
      { account: borrower, token, positionId: id, amount: toBorrower },
      { account: maker, token, positionId: id, amount: toMaker },
    ].filter(({ amount }) => amount > 0n),
  )
  return { toMaker, toBorrower, receipt }
}

const timeOf = async (receipt: TransactionReceipt) =>
  (await devnet.publicClient.getBlock({ blockNumber: receipt.blockNumber })).timestamp

/** Sets the time of the next block. */
const nextBlockAt = (timestamp: bigint) => devnet.testClient.setNextBlockTimestamp({ timestamp })

// test/describePositionLives.ts compares settlements and withdrawals with a model, to the raw unit.

describe('settle, on Morpho', () => {
  const morphoIndex = () =>
    devnet.publicClient.readContract({
      address: devnet.contracts.morphoAdapter,
      abi: morphoBlueAdapterAbi,
      functionName: 'index',
      args: [devnetMarkets[0].market],
    })

  it('default: at the expiry the borrower gets the floating interest and the maker the rest', async () => {
    const id = await open()
    const { notional, cost, indexAtOpen } = await positionOf(id)
    await testMaker.travelTo(nearestExpiry())
    const { toBorrower, toMaker, receipt } = await settleAndCheck(id)
    expect(await timeOf(receipt)).toBeGreaterThanOrEqual(nearestExpiry())

    // Roughly 6.25 % APR for 7 to 8 days on 250,000 tUSD.
    expect(toBorrower).toBeGreaterThan((notional * 625n * 6n) / (10_000n * 365n))
    expect(toBorrower).toBeLessThan((notional * 625n * 9n) / (10_000n * 365n))
    expect(toMaker).toBe(notional + cost - toBorrower)
    expect(await morphoIndex()).toBeGreaterThan(indexAtOpen)
  })

  it('behavior: the capacity comes back', async () => {
    const id = await open({ notional: seriesCap })
    const capacity = () =>
      devnet.publicClient.readContract({
        ...pool,
        functionName: 'capacity',
        args: [devnet.pools[0].series[0]?.seriesKey ?? zeroHash],
      })
    expect(await capacity()).toBe(0n)
    await testMaker.travelTo(nearestExpiry())
    await settleAndCheck(id)
    expect(await capacity()).toBe(seriesCap)
  })
})

describe('settle, to the unit', () => {
  let poolId: Hex
  let seriesKey: Hex
  let expiry: bigint
  let setIndex: TestPool['setIndex']

  beforeEach(async () => {
    ;({ poolId, seriesKey, expiry, setIndex } = await createTestPool(devnet, devnet.contracts.loanToken))
  })

  it('behavior: an index beyond 192 bits is cut off and locks nothing', async () => {
    const id = await open({ poolId, seriesKey, notional: 1_000_000n })
    await setIndex(maxUint256)
    expect((await settleAndCheckAt(id, expiry)).toBorrower).toBe(1_000_000n)
    expect(await readSeries('indexAtExpiry')).toBe(2n ** 192n - 1n)
  })

  it('error: a checkpoint before the expiry, or of an unknown series', async () => {
    const revert = (key: Hex) => testMaker.revertOf(devnet.deployer.address, pool.address, checkpointData(key))
    await testMaker.travelTo(expiry - 1n)
    expect(await revert(seriesKey)).toBe(`SeriesNotExpired(${seriesKey})`)
    expect(await readSeries('checkpoints')).toEqual([0n, 0n])
    expect(await readSeries('indexAtExpiry')).toBe(0n)
    expect(await revert(zeroHash)).toBe(`SeriesNotFound(${zeroHash})`)
  })

  it('behavior: gas that is estimated in the block of an opening is enough in a later one', async () => {
    await nextBlockAt(expiry - 500n)
    await open({ poolId, seriesKey })
    await nextBlockAt(expiry - 400n)
    expect(await open({ poolId, seriesKey })).toBe(2n)
  })

  function checkpointData(key: Hex) {
    return encodeFunctionData({ ...pool, functionName: 'checkpoint', args: [key] })
  }

  function readSeries(functionName: 'checkpoints' | 'indexAtExpiry') {
    return devnet.publicClient.readContract({ ...pool, functionName, args: [seriesKey] })
  }

  async function settleAndCheckAt(id: bigint, timestamp: bigint) {
    await nextBlockAt(timestamp)
    const { toBorrower, toMaker, receipt } = await settleAndCheck(id)
    expect(await timeOf(receipt)).toBe(timestamp)
    return { toBorrower, toMaker }
  }
})

it('error: a token that takes a fee is refused, also when the pool has more than it owes', async () => {
  const token = await deployContract(devnet, { abi: feeTokenAbi, bytecode: feeTokenBytecode })
  const { poolId, seriesKey } = await createTestPool(devnet, token)
  const erc20 = { abi: testTokenAbi } as const
  const [{ maker, borrower }, { quoteMarket }] = [testMaker, devnet.contracts]
  const mint = (to: Address) => encodeFunctionData({ ...erc20, functionName: 'mint', args: [to, 10_000_000n] })
  const approve = encodeFunctionData({ ...erc20, functionName: 'approve', args: [quoteMarket, maxUint256] })
  for (const account of [maker, borrower]) {
    await testMaker.send(account, token, mint(account.address))
    await testMaker.send(account, token, approve)
  }
  await testMaker.send(maker, token, mint(pool.address))
  // A millionth of the notional is one raw unit.
  const setFees = encodeFunctionData({ abi: feeTokenAbi, functionName: 'setFees', args: [1n, 0n] })
  await testMaker.send(devnet.deployer, token, setFees)
  const quote = await testMaker.quote({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 20_000n })
  expect(await testMaker.takeRevert(quote, await testMaker.sign(quote))).toBe(`TransferIncomplete(${token})`)
})

describe('KeeperBundler', () => {
  const settleManyData = (ids: readonly bigint[]) =>
    encodeFunctionData({ abi: keeperBundlerAbi, functionName: 'settleMany', args: [ids] })

  it('default: settles what can be settled and passes over the rest', async () => {
    const later = devnet.pools[0].series[1]?.seriesKey ?? zeroHash
    const due = [await open(), await open()] as const
    const notDue = await open({ seriesKey: later })
    const done = await open()
    await testMaker.travelTo(nearestExpiry())
    await settle(done)

    const ids = [due[0], notDue, done, 999n, due[1], due[1]]
    const receipt = await testMaker.send(devnet.deployer, devnet.contracts.keeperBundler, settleManyData(ids))

    expect(eventsOf(receipt, 'PositionSettled').map(({ args }) => args.positionId)).toEqual(due)
    expect((await positionOf(notDue)).settled).toBe(false)
    const { notional, cost } = await positionOf(notDue)
    // The four positions have the same terms.
    expect(await owed()).toBe(4n * (notional + cost))
    expect(await testMaker.balanceOf(pool.address)).toBe(4n * (notional + cost))
  })

  it('behavior: nothing to do is fine', async () => {
    const receipt = await testMaker.send(devnet.deployer, devnet.contracts.keeperBundler, settleManyData([]))
    expect(receipt.status).toBe('success')
  })

  it('error: too little gas reverts instead of passing over what could be settled', async () => {
    const id = await open()
    await testMaker.travelTo(nearestExpiry())
    await expect(
      devnet.publicClient.call({
        account: devnet.deployer.address,
        to: devnet.contracts.keeperBundler,
        data: settleManyData([id]),
        gas: 200_000n,
      }),
    ).rejects.toThrow()
    const settleGas = await devnet.publicClient.estimateGas({
      account: devnet.deployer.address,
      to: pool.address,
      data: settleData(id),
    })
    expect(settleGas).toBeLessThan(300_000n - 50_000n)
  })
})

describe('administration', () => {
  const otherAccount = () => testMaker.borrower.address
  const owner = () => devnet.deployer.address
  const call = (from: Address, data: Hex) => testMaker.revertOf(from, pool.address, data)

  it('default: every pool and series of the devnet is there, with the keys the design gives', async () => {
    for (const [position, { poolId, market, series }] of devnet.pools.entries()) {
      expect(await devnet.publicClient.readContract({ ...pool, functionName: 'pools', args: [poolId] })).toEqual([
        devnet.contracts.loanToken,
        devnet.contracts.morphoAdapter,
        market,
      ])
      expect(market).toBe(devnetMarkets[position]?.market)
      for (const { seriesKey, expiry } of series) {
        expect(await devnet.publicClient.readContract({ ...pool, functionName: 'series', args: [seriesKey] })).toEqual([
          poolId,
          BigInt(expiry),
          seriesCap,
          0n,
        ])
      }
    }
    const events = await devnet.publicClient.getContractEvents({ ...pool, fromBlock: 0n })
    expect(events.filter(({ eventName }) => eventName === 'PoolCreated')).toHaveLength(2)
    expect(events.filter(({ eventName }) => eventName === 'SeriesCreated')).toHaveLength(10)
  })

  it('error: only the owner sets the quote market, once, and creates pools and series', async () => {
    const [{ poolId, market }] = devnet.pools
    const { loanToken, morphoAdapter } = devnet.contracts
    const setQuoteMarket = encodeFunctionData({ ...pool, functionName: 'setQuoteMarket', args: [otherAccount()] })
    const setNothing = encodeFunctionData({ ...pool, functionName: 'setQuoteMarket', args: [zeroAddress] })
    const createPool = encodeFunctionData({
      ...pool,
      functionName: 'createPool',
      args: [loanToken, morphoAdapter, market],
    })
    const expiry = 4_000_000_000n
    const createSeries = encodeFunctionData({ ...pool, functionName: 'createSeries', args: [poolId, expiry, 1n] })
    for (const data of [setQuoteMarket, createPool, createSeries]) {
      expect(await call(otherAccount(), data)).toBe(`OwnableUnauthorizedAccount(${otherAccount()})`)
    }
    expect(await call(owner(), setQuoteMarket)).toBe('QuoteMarketAlreadySet()')
    expect(await call(owner(), setNothing)).toBe('ZeroAddress()')
    expect(await call(owner(), createPool)).toBe(`PoolExists(${poolId})`)
    expect(await call(owner(), createSeries)).toBe('no revert')
  })

  it('error: a pool on an unknown market, a series of an unknown pool, twice, or in the past', async () => {
    const [{ poolId, series }] = devnet.pools
    const { loanToken, morphoAdapter } = devnet.contracts
    const createPool = (token: Address) =>
      encodeFunctionData({ ...pool, functionName: 'createPool', args: [token, morphoAdapter, zeroHash] })
    const createSeries = (id: Hex, expiry: bigint) =>
      encodeFunctionData({ ...pool, functionName: 'createSeries', args: [id, expiry, 1n] })
    expect(await call(owner(), createPool(zeroAddress))).toBe('ZeroAddress()')
    expect(await call(owner(), createPool(loanToken))).toBe(`MarketNotFound(${zeroHash})`)
    expect(await call(owner(), createSeries(zeroHash, 4_000_000_000n))).toBe(`PoolNotFound(${zeroHash})`)
    expect(await call(owner(), createSeries(poolId, nearestExpiry()))).toBe(`SeriesExists(${series[0]?.seriesKey})`)
    const now = await testMaker.now()
    expect(await call(owner(), createSeries(poolId, now))).toBe(`SeriesExpired(${seriesKeyOf(poolId, Number(now))})`)
  })

  it('error: only the quote market opens positions, and only funded ones within the series', async () => {
    const [{ poolId, series }] = devnet.pools
    const seriesKey = series[0]?.seriesKey ?? zeroHash
    const openPosition = (id: Hex, key: Hex, notional: bigint) =>
      encodeFunctionData({
        ...pool,
        functionName: 'openPosition',
        args: [testMaker.maker.address, testMaker.borrower.address, id, key, notional, 1n],
      })
    const { quoteMarket, loanToken } = devnet.contracts
    expect(await call(owner(), openPosition(poolId, seriesKey, 1n))).toBe('NotQuoteMarket()')
    expect(await call(quoteMarket, openPosition(poolId, zeroHash, 1n))).toBe(`SeriesNotFound(${zeroHash})`)
    expect(await call(quoteMarket, openPosition(devnet.pools[1].poolId, seriesKey, 1n))).toBe(
      `SeriesNotFound(${seriesKey})`,
    )
    expect(await call(quoteMarket, openPosition(poolId, seriesKey, seriesCap + 1n))).toBe(
      `CapacityExceeded(${seriesKey})`,
    )
    expect(await call(quoteMarket, openPosition(poolId, seriesKey, 1n))).toBe(`FundsMissing(${loanToken})`)
    await testMaker.travelTo(nearestExpiry())
    expect(await call(quoteMarket, openPosition(poolId, seriesKey, 1n))).toBe(`SeriesExpired(${seriesKey})`)
  })
})
