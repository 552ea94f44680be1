import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { encodeFunctionData, type Hex, maxUint256, zeroHash } from 'viem'
import type { DevnetAccount } from './devnetAccounts.ts'
import { seriesCap } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { createQuoteDesk, type DeskQuote, eventsOf } from './quoteDesk.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'

let devnet: Devnet
let desk: ReturnType<typeof createQuoteDesk>
let snapshot: Hex

beforeAll(async () => {
  devnet = await startDevnet()
  desk = createQuoteDesk(devnet)
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  snapshot = await devnet.testClient.snapshot()
})
afterEach(() => devnet.testClient.revert({ id: snapshot }))

const toMarket = (from: DevnetAccount, data: Hex) => desk.send(from, devnet.contracts.quoteMarket, data)
const toPool = (from: DevnetAccount, data: Hex) => desk.send(from, devnet.contracts.interestRatePool, data)
const toToken = (from: DevnetAccount, data: Hex) => desk.send(from, devnet.contracts.loanToken, data)
const cancelData = (quote: DeskQuote) =>
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

/** Preview and take must give the same reason, whatever it is. */
async function expectReason(quote: DeskQuote, signature: Hex, reason: string, by = desk.borrower.address) {
  const preview = await desk.preview(quote, signature, by)
  expect(preview).toMatchObject({ executable: false, reason, borrowerCost: quote.vrtAmount })
  expect(await desk.takeRevert(quote, signature, by)).toBe(`QuoteNotExecutable(${reason})`)
  return preview
}

describe('takeQuote', () => {
  it('default: moves the notional and the cost into the pool and opens the position', async () => {
    const { maker, borrower } = desk
    const pool = devnet.contracts.interestRatePool
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    const hash = await desk.hashQuote(quote)
    const before = await Promise.all([maker.address, borrower.address, pool].map(desk.balanceOf))
    expect(await desk.preview(quote, signature)).toEqual({
      executable: true,
      reason: '',
      borrowerCost: quote.vrtAmount,
      capacity: seriesCap,
    })

    const { receipt, positionId } = await desk.take(quote, signature, { maxCost: quote.vrtAmount })

    const after = await Promise.all([maker.address, borrower.address, pool].map(desk.balanceOf))
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
      quote.poolId,
      quote.seriesKey,
      quote.notional,
      quote.vrtAmount,
      opened?.args.index,
      timestamp,
      false,
    ])
    const series = { ...readPool, address, args: [quote.seriesKey] } as const
    expect((await devnet.publicClient.readContract({ ...series, functionName: 'series' }))[3]).toBe(quote.notional)
    expect(await devnet.publicClient.readContract({ ...series, functionName: 'capacity' })).toBe(
      seriesCap - quote.notional,
    )
  })

  it('behavior: a quote for one taker is taken by that taker', async () => {
    const quote = await desk.quote({ taker: desk.borrower.address })
    const { positionId } = await desk.take(quote, await desk.sign(quote))
    expect(positionId).toBe(1n)
  })

  it('behavior: the whole capacity of a series can be taken', async () => {
    const quote = await desk.quote({ notional: seriesCap })
    await desk.take(quote, await desk.sign(quote))
    const next = await desk.quote({ notional: 1n })
    expect((await expectReason(next, await desk.sign(next), 'CAPACITY_EXCEEDED')).capacity).toBe(0n)
  })

  it('behavior: a quote is good up to and including its deadline', async () => {
    const deadline = (await desk.now()) + 100n
    const quote = await desk.quote({ deadline })
    const signature = await desk.sign(quote)
    await desk.travelTo(deadline)
    expect((await desk.preview(quote, signature)).executable).toBe(true)
    await desk.travelTo(deadline + 1n)
    await expectReason(quote, signature, 'DEADLINE_PASSED')
  })

  it('error: a second take of the same quote', async () => {
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    await desk.take(quote, signature)
    await expectReason(quote, signature, 'QUOTE_FILLED')
  })

  it('error: another taker than the named one', async () => {
    const quote = await desk.quote({ taker: devnet.borrowers[1].address })
    await expectReason(quote, await desk.sign(quote), 'TAKER_MISMATCH')
  })

  it('error: no notional', async () => {
    const quote = await desk.quote({ notional: 0n })
    await expectReason(quote, await desk.sign(quote), 'NOTIONAL_ZERO')
  })

  it('error: a nonce that is not the current one', async () => {
    const quote = await desk.quote({ nonce: 1n })
    await expectReason(quote, await desk.sign(quote), 'NONCE_MISMATCH')
  })

  it('error: more than the capacity', async () => {
    const quote = await desk.quote({ notional: seriesCap + 1n })
    expect((await expectReason(quote, await desk.sign(quote), 'CAPACITY_EXCEEDED')).capacity).toBe(seriesCap)
  })

  it.each([
    ['an unknown series', () => ({ seriesKey: `0x${'33'.repeat(32)}` as const })],
    ['an unknown pool', () => ({ poolId: `0x${'22'.repeat(32)}` as const })],
    ['the series of another pool', () => ({ poolId: devnet.pools[1].poolId })],
    ['zeros', () => ({ poolId: zeroHash, seriesKey: zeroHash })],
  ])('error: %s', async (_, changes) => {
    const quote = await desk.quote(changes())
    expect((await expectReason(quote, await desk.sign(quote), 'SERIES_NOT_FOUND')).capacity).toBe(0n)
  })

  it('error: an expired series', async () => {
    const expiry = BigInt(devnet.pools[0].series[0]?.expiry ?? 0)
    const quote = await desk.quote({ deadline: maxUint256 })
    const signature = await desk.sign(quote)
    await desk.travelTo(expiry - 1n)
    expect((await desk.preview(quote, signature)).executable).toBe(true)
    await desk.travelTo(expiry)
    await expectReason(quote, signature, 'SERIES_EXPIRED')
  })

  it('error: the maker no longer has the notional', async () => {
    const quote = await desk.quote()
    const balance = await desk.balanceOf(desk.maker.address)
    const amount = balance - quote.notional + 1n
    await toToken(
      desk.maker,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [devnet.deployer.address, amount] }),
    )
    await expectReason(quote, await desk.sign(quote), 'INSUFFICIENT_BALANCE')
  })

  it('error: the maker no longer allows the notional', async () => {
    const quote = await desk.quote()
    await toToken(desk.maker, approveData(quote.notional - 1n))
    await expectReason(quote, await desk.sign(quote), 'INSUFFICIENT_ALLOWANCE')
    await toToken(desk.maker, approveData(quote.notional))
    expect((await desk.preview(quote, await desk.sign(quote))).executable).toBe(true)
  })

  it('error: a cost above the limit of the borrower', async () => {
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    const limit = quote.vrtAmount - 1n
    expect(await desk.takeRevert(quote, signature, desk.borrower.address, limit)).toBe(
      `CostTooHigh(${quote.vrtAmount}, ${limit})`,
    )
  })

  it('error: the borrower has not approved the quote market as operator', async () => {
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    await toPool(
      desk.borrower,
      encodeFunctionData({
        abi: interestRatePoolAbi,
        functionName: 'setOperator',
        args: [devnet.contracts.quoteMarket, false],
      }),
    )
    expect(await desk.takeRevert(quote, signature)).toBe(`OperatorNotApproved(${desk.borrower.address})`)
  })

  it('error: a borrower who cannot pay keeps the quote open and the maker whole', async () => {
    const cost = (await desk.balanceOf(desk.borrower.address)) + 1n
    const quote = await desk.quote({ vrtAmount: cost })
    const signature = await desk.sign(quote)
    expect(await desk.takeRevert(quote, signature)).toBe(
      `ERC20InsufficientBalance(${desk.borrower.address}, ${cost - 1n}, ${cost})`,
    )
    expect(await statusOf(await desk.hashQuote(quote))).toBe(0)
  })

  it('behavior: of several faults the first in the order of the interface is named', async () => {
    const [nearest] = devnet.pools[0].series
    const expired = BigInt(nearest?.expiry ?? 0)
    const past = await desk.now()
    await desk.travelTo(expired)
    let quote = await desk.quote({
      deadline: past,
      taker: devnet.deployer.address,
      notional: 0n,
      nonce: 5n,
      seriesKey: `0x${'33'.repeat(32)}`,
    })
    const fix = async (reason: string, changes: Partial<DeskQuote>) => {
      await expectReason(quote, '0x', reason)
      quote = { ...quote, ...changes }
    }
    await fix('DEADLINE_PASSED', { deadline: maxUint256 })
    await fix('TAKER_MISMATCH', { taker: desk.borrower.address })
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
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    const hash = await desk.hashQuote(quote)
    const receipt = await toMarket(desk.maker, cancelData(quote))
    expect(eventsOf(receipt, 'QuoteCancelled').map(({ args }) => args)).toEqual([{ hash, maker: desk.maker.address }])
    expect(await statusOf(hash)).toBe(2)
    await expectReason(quote, signature, 'QUOTE_CANCELLED')
  })

  it('behavior: other quotes of the maker stay', async () => {
    const quote = await desk.quote()
    const other = await desk.quote()
    await toMarket(desk.maker, cancelData(quote))
    expect((await desk.preview(other, await desk.sign(other))).executable).toBe(true)
  })

  it('error: not the maker', async () => {
    const quote = await desk.quote()
    const { quoteMarket } = devnet.contracts
    expect(await desk.revertOf(desk.borrower.address, quoteMarket, cancelData(quote))).toBe('NotMaker()')
  })

  it('error: cancelled or filled already', async () => {
    const { quoteMarket } = devnet.contracts
    const cancelled = await desk.quote()
    await toMarket(desk.maker, cancelData(cancelled))
    const filled = await desk.quote()
    await desk.take(filled, await desk.sign(filled))
    for (const quote of [cancelled, filled]) {
      expect(await desk.revertOf(desk.maker.address, quoteMarket, cancelData(quote))).toBe(
        `QuoteNotOpen(${await desk.hashQuote(quote)})`,
      )
    }
  })
})

describe('raiseNonce', () => {
  it('default: ends every quote under the old nonce', async () => {
    const quote = await desk.quote()
    const signature = await desk.sign(quote)
    const receipt = await toMarket(desk.maker, raiseNonceData)
    expect(eventsOf(receipt, 'NonceRaised').map(({ args }) => args)).toEqual([{ maker: desk.maker.address, nonce: 1n }])
    await expectReason(quote, signature, 'NONCE_MISMATCH')
    const renewed = await desk.quote({ nonce: 1n })
    expect((await desk.preview(renewed, await desk.sign(renewed))).executable).toBe(true)
  })

  it('behavior: other makers keep their nonce', async () => {
    await toMarket(devnet.backers[1], raiseNonceData)
    const quote = await desk.quote()
    expect((await desk.preview(quote, await desk.sign(quote))).executable).toBe(true)
  })
})
