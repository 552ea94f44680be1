import { describe, expect, it } from '@jest/globals'
import { encodeFunctionData, type Hex, maxUint256, zeroHash } from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import type { DevnetAccount } from './devnetAccounts.ts'
import { seriesCap } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { eventsOf, type TestQuote } from './testMaker.ts'

useTestDevnet()

const toMarket = (from: DevnetAccount, data: Hex) => testMaker.send(from, devnet.contracts.quoteMarket, data)
const toPool = (from: DevnetAccount, data: Hex) => testMaker.send(from, devnet.contracts.interestRatePool, data)
const toToken = (from: DevnetAccount, data: Hex) => testMaker.send(from, devnet.contracts.loanToken, data)
const cancelData = (quote: TestQuote) =>
  encodeFunctionData({ abi: quoteMarketAbi, functionName: 'cancelQuote', args: [quote] })
const raiseNonceData = encodeFunctionData({ abi: quoteMarketAbi, functionName: 'raiseNonce' })
const approveData = (amount: bigint) =>
  encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'approve',
    args: [devnet.contracts.quoteMarket, amount],
  })

const statusOf = (hash: Hex) =>
  devnet.publicClient.readContract({
    address: devnet.contracts.quoteMarket,
    abi: quoteMarketAbi,
    functionName: 'quoteStatus',
    args: [hash],
  })
const readPool = { abi: interestRatePoolAbi } as const

/** Expects preview and take to fail for the same reason. */
async function expectReason(quote: TestQuote, signature: Hex, reason: string, by = testMaker.borrower.address) {
  const preview = await testMaker.preview(quote, signature, by)
  expect(preview).toMatchObject({ executable: false, reason, borrowerCost: quote.vrtAmount })
  expect(await testMaker.takeRevert(quote, signature, by)).toBe(`QuoteNotExecutable(${reason})`)
  return preview
}

describe('takeQuote', () => {
  it('default: moves the notional and the cost into the pool and opens the position', async () => {
    const { maker, borrower } = testMaker
    const pool = devnet.contracts.interestRatePool
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    const hash = await testMaker.hashQuote(quote)
    const before = await Promise.all([maker.address, borrower.address, pool].map(testMaker.balanceOf))
    expect(await testMaker.preview(quote, signature)).toEqual({
      executable: true,
      reason: '',
      borrowerCost: quote.vrtAmount,
      capacity: seriesCap,
    })

    const { receipt, positionId } = await testMaker.take(quote, signature, { maxCost: quote.vrtAmount })

    const after = await Promise.all([maker.address, borrower.address, pool].map(testMaker.balanceOf))
    expect(after.map((balance, position) => balance - (before[position] ?? 0n))).toEqual([
      -quote.notional,
      -quote.vrtAmount,
      quote.notional + quote.vrtAmount,
    ])
    expect(await statusOf(hash)).toBe(1)
    expect(eventsOf(receipt, 'QuoteFilled').map(({ args }) => args)).toEqual([
      {
        hash,
        maker: maker.address,
        taker: borrower.address,
        poolId: quote.poolId,
        seriesKey: quote.seriesKey,
        notional: quote.notional,
        vrtAmount: quote.vrtAmount,
        cost: quote.vrtAmount,
      },
    ])

    const [opened] = eventsOf(receipt, 'PositionOpened')
    const { timestamp } = await devnet.publicClient.getBlock({ blockNumber: receipt.blockNumber })
    const address = pool
    const position = await devnet.publicClient.readContract({
      ...readPool,
      address,
      functionName: 'positions',
      args: [positionId],
    })
    expect(position).toEqual([
      maker.address,
      borrower.address,
      timestamp,
      false,
      quote.poolId,
      quote.seriesKey,
      quote.notional,
      quote.vrtAmount,
      opened?.args.index,
    ])
    const series = { ...readPool, address, args: [quote.seriesKey] } as const
    expect((await devnet.publicClient.readContract({ ...series, functionName: 'series' }))[3]).toBe(quote.notional)
    expect(await devnet.publicClient.readContract({ ...series, functionName: 'capacity' })).toBe(
      seriesCap - quote.notional,
    )
  })

  it('behavior: the whole capacity of a series can be taken', async () => {
    const quote = await testMaker.quote({ notional: seriesCap })
    await testMaker.take(quote, await testMaker.sign(quote))
    const next = await testMaker.quote({ notional: 1n })
    expect((await expectReason(next, await testMaker.sign(next), 'CAPACITY_EXCEEDED')).capacity).toBe(0n)
  })

  it('behavior: a quote is good up to and including its deadline', async () => {
    const deadline = (await testMaker.now()) + 100n
    const quote = await testMaker.quote({ deadline })
    const signature = await testMaker.sign(quote)
    await testMaker.travelTo(deadline)
    expect((await testMaker.preview(quote, signature)).executable).toBe(true)
    await testMaker.travelTo(deadline + 1n)
    await expectReason(quote, signature, 'DEADLINE_PASSED')
  })

  it('error: a second take of the same quote', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    await testMaker.take(quote, signature)
    await expectReason(quote, signature, 'QUOTE_FILLED')
  })

  it.each([
    ['an unknown series', () => ({ seriesKey: `0x${'33'.repeat(32)}` as const })],
    ['an unknown pool', () => ({ poolId: `0x${'22'.repeat(32)}` as const })],
    ['the series of another pool', () => ({ poolId: devnet.pools[1].poolId })],
    ['zeros', () => ({ poolId: zeroHash, seriesKey: zeroHash })],
  ])('error: %s', async (_, changes) => {
    const quote = await testMaker.quote(changes())
    expect((await expectReason(quote, await testMaker.sign(quote), 'SERIES_NOT_FOUND')).capacity).toBe(0n)
  })

  it('error: an expired series', async () => {
    const expiry = BigInt(devnet.pools[0].series[0]?.expiry ?? 0)
    const quote = await testMaker.quote({ deadline: maxUint256 })
    const signature = await testMaker.sign(quote)
    await testMaker.travelTo(expiry - 1n)
    expect((await testMaker.preview(quote, signature)).executable).toBe(true)
    await testMaker.travelTo(expiry)
    await expectReason(quote, signature, 'SERIES_EXPIRED')
  })

  it('error: the maker no longer has the notional', async () => {
    const quote = await testMaker.quote()
    const balance = await testMaker.balanceOf(testMaker.maker.address)
    const amount = balance - quote.notional + 1n
    await toToken(
      testMaker.maker,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [devnet.deployer.address, amount] }),
    )
    await expectReason(quote, await testMaker.sign(quote), 'INSUFFICIENT_BALANCE')
  })

  it('error: the maker no longer allows the notional', async () => {
    const quote = await testMaker.quote()
    await toToken(testMaker.maker, approveData(quote.notional - 1n))
    await expectReason(quote, await testMaker.sign(quote), 'INSUFFICIENT_ALLOWANCE')
    await toToken(testMaker.maker, approveData(quote.notional))
    expect((await testMaker.preview(quote, await testMaker.sign(quote))).executable).toBe(true)
  })

  it('error: a cost above the limit of the borrower', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    const limit = quote.vrtAmount - 1n
    expect(await testMaker.takeRevert(quote, signature, testMaker.borrower.address, limit)).toBe(
      `CostTooHigh(${quote.vrtAmount}, ${limit})`,
    )
  })

  it('error: the borrower has not approved the quote market as operator', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    await toPool(
      testMaker.borrower,
      encodeFunctionData({
        abi: interestRatePoolAbi,
        functionName: 'setOperator',
        args: [devnet.contracts.quoteMarket, false],
      }),
    )
    expect(await testMaker.takeRevert(quote, signature)).toBe(`OperatorNotApproved(${testMaker.borrower.address})`)
  })

  it('error: a borrower who cannot pay keeps the quote open and the maker whole', async () => {
    const cost = (await testMaker.balanceOf(testMaker.borrower.address)) + 1n
    const quote = await testMaker.quote({ vrtAmount: cost })
    const signature = await testMaker.sign(quote)
    expect(await testMaker.takeRevert(quote, signature)).toBe(
      `ERC20InsufficientBalance(${testMaker.borrower.address}, ${cost - 1n}, ${cost})`,
    )
    expect(await statusOf(await testMaker.hashQuote(quote))).toBe(0)
  })

  it('behavior: of several faults the first in the order of the interface is named', async () => {
    const [nearest] = devnet.pools[0].series
    const expired = BigInt(nearest?.expiry ?? 0)
    const past = await testMaker.now()
    await testMaker.travelTo(expired)
    let quote = await testMaker.quote({
      deadline: past,
      taker: devnet.deployer.address,
      notional: 0n,
      nonce: 5n,
      seriesKey: `0x${'33'.repeat(32)}`,
    })
    const fix = async (reason: string, changes: Partial<TestQuote>) => {
      await expectReason(quote, '0x', reason)
      quote = { ...quote, ...changes }
    }
    await fix('DEADLINE_PASSED', { deadline: maxUint256 })
    await fix('TAKER_MISMATCH', { taker: testMaker.borrower.address })
    await fix('NOTIONAL_ZERO', { notional: maxUint256 })
    await fix('NONCE_MISMATCH', { nonce: 0n })
    await fix('SERIES_NOT_FOUND', { seriesKey: nearest?.seriesKey ?? '0x' })
    await fix('SERIES_EXPIRED', { seriesKey: devnet.pools[0].series[1]?.seriesKey ?? '0x' })
    await fix('CAPACITY_EXCEEDED', { notional: 1n })
    await fix('BAD_SIGNATURE', {})
  })
})

describe('cancelQuote', () => {
  it('default: ends a quote that was never seen on chain', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    const hash = await testMaker.hashQuote(quote)
    const receipt = await toMarket(testMaker.maker, cancelData(quote))
    expect(eventsOf(receipt, 'QuoteCancelled').map(({ args }) => args)).toEqual([
      { hash, maker: testMaker.maker.address },
    ])
    expect(await statusOf(hash)).toBe(2)
    await expectReason(quote, signature, 'QUOTE_CANCELLED')
  })

  it('behavior: other quotes of the maker stay', async () => {
    const quote = await testMaker.quote()
    const other = await testMaker.quote()
    await toMarket(testMaker.maker, cancelData(quote))
    expect((await testMaker.preview(other, await testMaker.sign(other))).executable).toBe(true)
  })

  it('error: not the maker', async () => {
    const quote = await testMaker.quote()
    const { quoteMarket } = devnet.contracts
    expect(await testMaker.revertOf(testMaker.borrower.address, quoteMarket, cancelData(quote))).toBe('NotMaker()')
  })

  it('error: cancelled or filled already', async () => {
    const { quoteMarket } = devnet.contracts
    const cancelled = await testMaker.quote()
    await toMarket(testMaker.maker, cancelData(cancelled))
    const filled = await testMaker.quote()
    await testMaker.take(filled, await testMaker.sign(filled))
    for (const quote of [cancelled, filled]) {
      expect(await testMaker.revertOf(testMaker.maker.address, quoteMarket, cancelData(quote))).toBe(
        `QuoteNotOpen(${await testMaker.hashQuote(quote)})`,
      )
    }
  })
})

describe('raiseNonce', () => {
  it('default: ends every quote under the old nonce', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    const receipt = await toMarket(testMaker.maker, raiseNonceData)
    expect(eventsOf(receipt, 'NonceRaised').map(({ args }) => args)).toEqual([
      { maker: testMaker.maker.address, nonce: 1n },
    ])
    await expectReason(quote, signature, 'NONCE_MISMATCH')
    const renewed = await testMaker.quote({ nonce: 1n })
    expect((await testMaker.preview(renewed, await testMaker.sign(renewed))).executable).toBe(true)
  })

  it('behavior: other makers keep their nonce', async () => {
    await toMarket(devnet.backers[1], raiseNonceData)
    const quote = await testMaker.quote()
    expect((await testMaker.preview(quote, await testMaker.sign(quote))).executable).toBe(true)
  })
})
