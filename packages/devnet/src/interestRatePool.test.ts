import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from 'viem'
import { createTestPool, type TestPool } from './createTestPool.ts'
import { devnetMarkets, seriesCap, seriesKeyOf } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { keeperBundlerAbi } from './generated/keeperBundler.ts'
import { morphoBlueAdapterAbi } from './generated/morphoBlueAdapter.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { createTestMaker, eventsOf, type TestQuote } from './testMaker.ts'

const ray = 10n ** 27n
const day = 86_400n

let devnet: Devnet
let testMaker: ReturnType<typeof createTestMaker>
let pool: { address: Address; abi: typeof interestRatePoolAbi }
let snapshot: Hex

beforeAll(async () => {
  devnet = await startDevnet()
  testMaker = createTestMaker(devnet)
  pool = { address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi }
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  snapshot = await devnet.testClient.snapshot()
})
afterEach(() => devnet.testClient.revert({ id: snapshot }))

const nearestExpiry = () => BigInt(devnet.pools[0].series[0]?.expiry ?? 0)
const settleData = (id: bigint) => encodeFunctionData({ ...pool, functionName: 'settle', args: [id] })
/** With an explicit limit, since an estimate is made at the time of the last block, when it may be too early to settle. */
const settle = async (id: bigint): Promise<TransactionReceipt> => {
  const hash = await devnet
    .walletClient(devnet.deployer)
    .sendTransaction({ to: pool.address, data: settleData(id), gas: 300_000n })
  const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return receipt
}
const settleRevert = (id: bigint) => testMaker.revertOf(devnet.deployer.address, pool.address, settleData(id))
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

/** Settles and checks what must hold of every settlement: what went in is credited to the two parties, as the events say. */
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

/** The next transaction is mined at this time. */
const nextBlockAt = (timestamp: bigint) => devnet.testClient.setNextBlockTimestamp({ timestamp })

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

    // 6.25 % APR for 7 to 8 days on 250,000 tUSD, roughly.
    expect(toBorrower).toBeGreaterThan((notional * 625n * 6n) / (10_000n * 365n))
    expect(toBorrower).toBeLessThan((notional * 625n * 9n) / (10_000n * 365n))
    expect(toMaker).toBe(notional + cost - toBorrower)
    expect(await morphoIndex()).toBeGreaterThan(indexAtOpen)
  })

  it('behavior: two months late, the interest is still that of the term', async () => {
    const id = await open()
    const { notional, indexAtOpen, openedAt } = await positionOf(id)
    const late = nearestExpiry() + 60n * day
    await testMaker.travelTo(late)
    const { toBorrower, receipt } = await settleAndCheck(id)

    const settledAt = await timeOf(receipt)
    const growth = ((await morphoIndex()) - indexAtOpen) * (nearestExpiry() - openedAt)
    const expected = (notional * (growth / (settledAt - openedAt))) / indexAtOpen
    expect(toBorrower).toBe(expected)
    expect(toBorrower).toBeLessThan((notional * 650n * 9n) / (10_000n * 365n))
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

  it('error: before the expiry', async () => {
    const id = await open()
    await testMaker.travelTo(nearestExpiry() - 1n)
    expect(await settleRevert(id)).toBe(`SeriesNotExpired(${devnet.pools[0].series[0]?.seriesKey})`)
    expect((await positionOf(id)).settled).toBe(false)
  })

  it('error: a second time', async () => {
    const id = await open()
    await testMaker.travelTo(nearestExpiry())
    await settleAndCheck(id)
    expect(await settleRevert(id)).toBe(`PositionAlreadySettled(${id})`)
  })

  it('error: an unknown position', async () => {
    for (const id of [0n, 1n]) expect(await settleRevert(id)).toBe(`PositionNotFound(${id})`)
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

  it.each([
    ['no growth', ray, 0n],
    ['an index that has fallen', ray - 1n, 0n],
    ['5 %', (ray * 105n) / 100n, 50_000n],
    ['a fraction, rounded down', ray + ray / 3_000_000n, 0n],
    ['one unit below the notional', ray + (ray * 999_999n) / 1_000_000n, 999_999n],
    ['100 %, the whole notional', ray * 2n, 1_000_000n],
    ['more than the notional, which is the most', ray * 50n, 1_000_000n],
  ])('behavior: %s', async (_, index, interest) => {
    const id = await open({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 20_000n })
    await setIndex(index)
    const { toBorrower, toMaker } = await settleAndCheckAt(id, expiry)
    expect(toBorrower).toBe(interest)
    expect(toMaker).toBe(1_020_000n - interest)
  })

  it('behavior: late, the growth counts by the share of the time before the expiry, then the cap', async () => {
    const id = await open({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 0n })
    const { openedAt } = await positionOf(id)
    const term = expiry - openedAt
    await setIndex(ray * 3n)
    // Three times the term: a third of a growth of 200 %.
    const { toBorrower } = await settleAndCheckAt(id, openedAt + term * 3n)
    expect(toBorrower).toBe(666_666n)
  })

  it('behavior: late, the growth counts from the last index before the expiry', async () => {
    const first = await open({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 0n })
    await setIndex((ray * 11n) / 10n)
    const openedAt = expiry - 100n
    await nextBlockAt(openedAt)
    const second = await open({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 0n })
    await setIndex((ray * 21n) / 10n)
    // A quarter of the growth of 1 since the second opening.
    expect((await settleAndCheckAt(first, openedAt + 400n)).toBorrower).toBe(350_000n)
    expect((await settleAndCheck(second)).toBorrower).toBe(227_272n)
  })

  it('behavior: after the checkpoint, the time of settling makes no difference', async () => {
    const ids = [
      await open({ poolId, seriesKey, notional: 1_000_000n }),
      await open({ poolId, seriesKey, notional: 1_000_000n }),
    ] as const
    await setIndex((ray * 105n) / 100n)
    await nextBlockAt(expiry)
    const receipt = await checkpoint(seriesKey)
    const index = (ray * 105n) / 100n
    expect(eventsOf(receipt, 'SeriesCheckpointed').map(({ args }) => args)).toEqual([
      { seriesKey, index, readAt: expiry, indexAtExpiry: index },
    ])
    for (const [position, id] of ids.entries()) {
      await setIndex(ray * BigInt(position + 2))
      expect((await settleAndCheckAt(id, expiry + day * BigInt(position + 1))).toBorrower).toBe(50_000n)
      expect(await testMaker.revertOf(devnet.deployer.address, pool.address, checkpointData(seriesKey))).toBe(
        'no revert',
      )
      expect(eventsOf(await checkpoint(seriesKey), 'SeriesCheckpointed')).toEqual([])
    }
    expect(await readSeries('checkpoints')).toEqual([index, expiry])
    expect(await readSeries('indexAtExpiry')).toBe(index)
  })

  it('behavior: an index that falls after the last one that was read counts as no growth since then', async () => {
    const first = await open({ poolId, seriesKey, notional: 1_000_000n })
    await setIndex((ray * 102n) / 100n)
    const second = await open({ poolId, seriesKey, notional: 1_000_000n })
    await setIndex(ray)
    expect((await settleAndCheckAt(first, expiry)).toBorrower).toBe(20_000n)
    expect((await settleAndCheck(second)).toBorrower).toBe(0n)
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

  it('behavior: a cost of zero, and a notional of one unit', async () => {
    const id = await open({ poolId, seriesKey, notional: 1n, vrtAmount: 0n })
    await setIndex(ray * 2n - 1n)
    expect(await settleAndCheckAt(id, expiry)).toMatchObject({ toBorrower: 0n, toMaker: 1n })
  })

  function checkpointData(key: Hex) {
    return encodeFunctionData({ ...pool, functionName: 'checkpoint', args: [key] })
  }

  function checkpoint(key: Hex) {
    return testMaker.send(devnet.deployer, pool.address, checkpointData(key), 300_000n)
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

  it('behavior: an operator is set and taken back by its owner', async () => {
    const operator = devnet.deployer.address
    const isOperator = () =>
      devnet.publicClient.readContract({
        ...pool,
        functionName: 'isOperator',
        args: [testMaker.borrower.address, operator],
      })
    for (const approved of [true, false]) {
      const data = encodeFunctionData({ ...pool, functionName: 'setOperator', args: [operator, approved] })
      const receipt = await testMaker.send(testMaker.borrower, pool.address, data)
      expect(eventsOf(receipt, 'OperatorSet').map(({ args }) => args)).toEqual([
        { owner: testMaker.borrower.address, operator, approved },
      ])
      expect(await isOperator()).toBe(approved)
    }
  })
})
