// Long because all market endpoints share one devnet.

import {
  hashQuote,
  type PositionFilters,
  quoteEffectiveApy,
  ratePerSecToApr,
  ratePerSecToApy,
  type SignedQuote,
} from '@firmquote/core'
import { type DevnetAccount, interestRatePoolAbi, morphoAbi, testTokenAbi } from '@firmquote/devnet'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Abi, type Address, type Hex, maxUint256, numberToHex, zeroAddress, zeroHash } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'

const erc20 = testTokenAbi as Abi

let service: RealService

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

async function send(...given: Parameters<ReturnType<typeof createChainDriver>['call']>) {
  expect(await createChainDriver(devnet).call(...given)).toMatchObject({ status: '0x1' })
}

/** The first pool's Morpho market parameters. */
async function morphoMarket() {
  const [{ market: id }] = devnet.pools
  const morpho = { address: devnet.contracts.morpho, abi: morphoAbi } as const
  const [loanToken, collateralToken, oracle, irm, lltv] = await devnet.publicClient.readContract({
    ...morpho,
    functionName: 'idToMarketParams',
    args: [id],
  })
  return { morpho, id, params: { loanToken, collateralToken, oracle, irm, lltv } }
}

async function accrue(): Promise<void> {
  const { morpho, params } = await morphoMarket()
  await send(devnet.deployer, morpho.address, morpho.abi as Abi, 'accrueInterest', [params])
}

/** An account's debt in Morpho's arithmetic: shares to assets, rounded up. */
async function morphoDebt(account: Address): Promise<bigint> {
  const { morpho, id } = await morphoMarket()
  const [, , totalAssets, totalShares] = await devnet.publicClient.readContract({
    ...morpho,
    functionName: 'market',
    args: [id],
  })
  const [, shares] = await devnet.publicClient.readContract({
    ...morpho,
    functionName: 'position',
    args: [id, account],
  })
  const [assets, all] = [totalAssets + 1n, totalShares + 1_000_000n]
  return (shares * assets + all - 1n) / all
}

const [maker, borrower] = [() => devnet.backers[0], () => devnet.borrowers[0]]
const nearest = () => devnet.pools[0].series[0]?.seriesKey ?? zeroHash

/** A notional that counts at the default size, which is 1 % of 10 million tUSD. */
const size = 80_000_000_000n

/** Returns the current pools. Waits out the cache, which lasts a second. */
const pools = () => {
  service.clock.advance(1_000)
  return service.markets.pools()
}
const seriesNow = async (seriesKey: Hex) =>
  (await pools()).flatMap(({ series }) => series).find((series) => series.seriesKey === seriesKey)

const publish = async (quote: SignedQuote) => expect(await service.book.submit(quote)).toMatchObject({ ok: true })

describe('rates', () => {
  test('default', async () => {
    const { number } = await devnet.publicClient.getBlock()
    const rates = await service.markets.rates()
    expect(rates).toEqual(
      devnet.pools.map(({ market }) => ({
        protocol: 'morpho-blue',
        market,
        loanToken: devnet.contracts.loanToken,
        ratePerSec: expect.any(BigInt),
        apr: expect.any(Number),
        apy: expect.any(Number),
        block: Number(number),
      })),
    )
    // Utilisations of 75 % and 60 %.
    expect(rates[0]?.apr).toBeCloseTo(6.25, 1)
    expect(rates[1]?.apr).toBeCloseTo(5.2, 1)
    for (const { ratePerSec, apr, apy } of rates) {
      expect([apr, apy]).toEqual([ratePerSecToApr(ratePerSec), ratePerSecToApy(ratePerSec)])
    }
  })

  test('behavior: three requests the first time, two from then on', async () => {
    service.node.calls.length = 0
    await service.markets.rates()
    expect(service.node.calls).toHaveLength(3)
    service.node.calls.length = 0
    await service.markets.rates()
    expect(service.node.calls.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_call'])
  })

  test('error: the chain cannot be read, or has not been synced', async () => {
    const code = 'CHAIN_UNAVAILABLE'
    service.node.interfere = () => ({ status: 500 })
    await expect(service.markets.rates()).rejects.toMatchObject({ code })
    await expect(service.markets.pools()).rejects.toMatchObject({ code })
    await expect(service.markets.positions({ address: maker().address })).rejects.toMatchObject({ code })
    await service.close()
    service = await startRealService(devnet, { synced: false })
    await expect(service.markets.rates()).rejects.toMatchObject({ code })
    await expect(service.markets.pools()).rejects.toMatchObject({ code })
    await expect(service.markets.positions({ address: maker().address })).rejects.toMatchObject({ code })
  })
})

describe('pools', () => {
  test('default', async () => {
    const answer = await pools()
    const rates = await service.markets.rates()
    expect(answer).toEqual(
      devnet.pools.map(({ poolId, market, series }, index) => ({
        poolId,
        loanToken: { address: devnet.contracts.loanToken, symbol: 'tUSD', decimals: 6 },
        protocol: 'morpho-blue',
        market,
        collateral: {
          address: expect.any(String),
          symbol: ['tWETH', 'tBTC'][index],
          decimals: [18, 8][index],
        },
        lltv: 860_000_000_000_000_000n,
        utilization: expect.closeTo([75, 60][index] ?? 0, 0),
        floating: { ratePerSec: rates[index]?.ratePerSec, apr: rates[index]?.apr, apy: rates[index]?.apy },
        series: series.map((item) => ({
          ...item,
          capacity: 10_000_000_000_000n,
          minNotional: 100_000_000n,
          depth: { quotes: 0, notional: 0n },
        })),
      })),
    )
  })

  test('behavior: depth and the best rate count quotes that any account could take', async () => {
    const seriesKey = nearest()
    const notional = 80_000_000_000n
    const quoteOf = (vrtAmount: bigint, changes = {}, index: 0 | 1 | 2 = 0) =>
      signedQuote(devnet, devnet.backers[index], { seriesKey, notional, vrtAmount, ...changes })
    const [best, second] = [await quoteOf(1_000_000n), await quoteOf(2_000_000n, {}, 1)]
    await publish(best)
    await publish(second)
    // Only the designated taker can take this quote.
    await publish(await quoteOf(500_000n, { taker: borrower().address }, 2))
    const full = await seriesNow(seriesKey)
    expect(full?.depth).toEqual({ quotes: 2, notional: notional * 2n })
    const seconds = (devnet.pools[0].series[0]?.expiry ?? 0) - Math.floor(service.clock.now() / 1000)
    expect(full?.bestApr).toBeCloseTo(((1_000_000 / 80_000_000_000) * 31_536_000 * 100) / seconds, 6)
    expect(full?.bestEffectiveApy).toBeCloseTo(quoteEffectiveApy(best, seconds, 0) ?? 0, 6)

    // Quotes from a maker without funds do not count, even before a sync.
    await send(maker(), devnet.contracts.loanToken, erc20, 'approve', [devnet.contracts.quoteMarket, 1n])
    const poorer = await seriesNow(seriesKey)
    expect(poorer?.depth).toEqual({ quotes: 1, notional })
    expect(poorer?.bestApr).toBeGreaterThan((full?.bestApr ?? 0) * 1.9)
    await createChainDriver(devnet).cancel(devnet.backers[1], second)
    const empty = await seriesNow(seriesKey)
    expect(empty?.depth).toEqual({ quotes: 0, notional: 0n })
    expect(empty).not.toHaveProperty('bestApr')
    expect(empty).not.toHaveProperty('bestEffectiveApy')
    // More than half of the notional: no floating rate would cost as much.
    await publish(await quoteOf(notional / 2n + 1n, {}, 2))
    expect(await seriesNow(seriesKey)).toMatchObject({ bestApr: expect.any(Number), bestEffectiveApy: null })
  })

  test('behavior: the quotes of an auction count after its close', async () => {
    const seriesKey = nearest()
    const [{ poolId }] = devnet.pools
    const quote = await signedQuote(devnet, maker(), { seriesKey, notional: size })
    const opened = await service.hub.open({ poolId, seriesKey, notional: quote.notional }, { address: 'one' })
    if (!opened.ok) throw new TypeError(opened.rejection.code)
    const rfqId = publicRfqId(opened.value.rfq.rfqId)
    expect(await service.hub.submit({ backer: quote.maker, rfqId, quote })).toMatchObject({ ok: true })
    expect((await seriesNow(seriesKey))?.depth.quotes).toBe(0)
    service.clock.advance(15_000)
    await opened.value.result()
    const seen = { quotes: 1, notional: quote.notional }
    expect((await seriesNow(seriesKey))?.depth).toEqual(seen)
    expect(await service.book.submit(quote)).toMatchObject({ rejection: { code: 'QUOTE_PRIVATE' } })
    const published = await signedQuote(devnet, maker(), { seriesKey, notional: size })
    await publish(published)
    expect((await seriesNow(seriesKey))?.depth).toEqual({ quotes: 2, notional: size * 2n })
  })

  test('behavior: a quote counts that fixes at least half of the size and no more than all of it', async () => {
    const seriesKey = nearest()
    const [{ poolId }] = devnet.pools
    const sizes = [49_999_999_999n, 50_000_000_000n, 100_000_000_000n, 100_000_000_001n]
    for (const notional of sizes) {
      await publish(await signedQuote(devnet, maker(), { seriesKey, notional, vrtAmount: notional / 1_000n }))
    }
    // 1 % of 10 million.
    expect((await seriesNow(seriesKey))?.depth).toEqual({ quotes: 2, notional: 150_000_000_000n })
    const depthAt = async (notional: bigint) => {
      const found = await service.markets.pools({ poolId, notional })
      expect(found).toHaveLength(1)
      return found[0]?.series.find((series) => series.seriesKey === seriesKey)?.depth.quotes
    }
    expect(await depthAt(49_999_999_999n)).toBe(1)
    expect(await depthAt(99_999_999_999n)).toBe(1)
    expect(await depthAt(99_999_999_998n)).toBe(2)
    expect(await depthAt(100_000_000_001n)).toBe(2)
    expect(await depthAt(200_000_000_002n)).toBe(1)
    expect(await depthAt(200_000_000_003n)).toBe(0)
    expect(await service.markets.pools({ poolId: zeroHash })).toEqual([])
    expect(await service.markets.pools({ poolId })).toHaveLength(1)
    expect(await service.markets.pools({ notional: 1n })).toHaveLength(2)
  })

  test('behavior: one maker counts with 20 quotes, and makers without funds hide nobody', async () => {
    const seriesKey = nearest()
    const { quoteMarket, loanToken } = devnet.contracts
    const honest = await signedQuote(devnet, devnet.backers[1], { seriesKey, notional: size, vrtAmount: 1_000n })
    await publish(honest)
    for (let index = 0; index < 21; index += 1) {
      await publish(await signedQuote(devnet, maker(), { seriesKey, notional: size, vrtAmount: 0n }))
    }
    expect((await seriesNow(seriesKey))?.depth).toEqual({ quotes: 21, notional: size * 21n })
    // More makers than one read covers, each with a quote that can no longer be taken.
    const insert = async (index: number) => {
      const address: Address = `0x${(0xf000 + index).toString(16).padStart(40, '0')}`
      const quote = { ...honest, maker: address, vrtAmount: 0n, salt: numberToHex(index, { size: 32 }) }
      const hash = hashQuote(quote, domainOf(devnet))
      await service.store.insertQuote({ hash, quote, apr: -1, createdAt: 0 })
    }
    for (let index = 0; index < 150; index += 1) await insert(index)
    await send(maker(), loanToken, erc20, 'approve', [quoteMarket, 1n])
    expect((await seriesNow(seriesKey))?.depth).toEqual({ quotes: 1, notional: size })
  })

  test('behavior: ten thousand quotes of minimum size at 0 % change neither rate nor depth', async () => {
    const seriesKey = nearest()
    const honest = await signedQuote(devnet, maker(), { seriesKey, notional: size, vrtAmount: 80_000_000n })
    await publish(honest)
    const before = await seriesNow(seriesKey)
    expect(before?.depth).toEqual({ quotes: 1, notional: size })
    // The quotes below have the smallest notional allowed for published quotes.
    expect(
      await service.book.submit(await signedQuote(devnet, maker(), { seriesKey, notional: 99_999_999n })),
    ).toMatchObject({ ok: false, rejection: { code: 'NOTIONAL_TOO_SMALL' } })
    const inserted = Array.from({ length: 10_000 }, (_, index) => {
      const address: Address = `0x${(0xf000 + (index % 100)).toString(16).padStart(40, '0')}`
      const quote = {
        ...honest,
        maker: address,
        notional: 100_000_000n,
        vrtAmount: 0n,
        salt: numberToHex(index, { size: 32 }),
      }
      return service.store.insertQuote({ hash: hashQuote(quote, domainOf(devnet)), quote, apr: 0, createdAt: 0 })
    })
    await Promise.all(inserted)
    // One second of the term has passed.
    const bestApr = expect.closeTo(before?.bestApr ?? 0, 3)
    const bestEffectiveApy = expect.closeTo(before?.bestEffectiveApy ?? 0, 3)
    expect(await seriesNow(seriesKey)).toEqual({ ...before, bestApr, bestEffectiveApy })
  })

  test('behavior: capacity shrinks by the notional taken, and an expired series is omitted', async () => {
    const seriesKey = nearest()
    const quote = await signedQuote(devnet, maker(), { seriesKey, notional: size })
    await createChainDriver(devnet).take(borrower(), quote)
    expect((await seriesNow(seriesKey))?.capacity).toBe(10_000_000_000_000n - quote.notional)
    const expiry = devnet.pools[0].series[0]?.expiry ?? 0
    service.clock.jump(expiry * 1_000 - service.clock.now() - 5_000)
    expect(await seriesNow(seriesKey)).toBeDefined()
    service.clock.jump(5_000)
    expect(await seriesNow(seriesKey)).toBeUndefined()
  })

  test('behavior: calls within a second share one answer, but not a failure', async () => {
    service.node.interfere = () => ({ status: 500 })
    await expect(service.markets.pools()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    service.node.interfere = () => undefined
    service.node.calls.length = 0
    const answers = await Promise.all([service.markets.pools(), service.markets.pools()])
    expect(await service.markets.pools()).toEqual(answers[0])
    // The block, the loan token, the rates, and three requests for the terms, which are read only once.
    expect(service.node.calls).toHaveLength(6)
  })

  test('behavior: a node that refuses every quote gets fewer requests than quotes', async () => {
    const seriesKey = nearest()
    for (let index = 0; index < 60; index += 1)
      await publish(await signedQuote(devnet, maker(), { seriesKey, notional: size }))
    await seriesNow(seriesKey)
    // Block state is cached, so a new block is needed.
    await devnet.testClient.mine({ blocks: 1 })
    const address = maker().address.slice(2).toLowerCase()
    service.node.interfere = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(address)
        ? { error: { code: -32000, message: 'out of gas' } }
        : undefined
    service.node.calls.length = 0
    expect((await seriesNow(seriesKey))?.depth.quotes).toBe(0)
    expect(service.node.calls.length).toBeLessThan(60)
  })
})

describe('positions', () => {
  const { poolId, series } = { poolId: () => devnet.pools[0].poolId, series: () => devnet.pools[0].series[0] }
  const positionsOf = (account: DevnetAccount, filters: Omit<PositionFilters, 'address'> = {}) =>
    service.markets.positions({ address: account.address, ...filters })
  const take = async (changes: Partial<SignedQuote> = {}, by = borrower()) => {
    const open = { seriesKey: nearest(), notional: size, deadline: maxUint256 }
    const quote = await signedQuote(devnet, maker(), { ...open, ...changes })
    await createChainDriver(devnet).take(by, quote)
    return quote
  }
  const settle = async (positionId: bigint) => {
    await send(devnet.deployer, devnet.contracts.interestRatePool, interestRatePoolAbi as Abi, 'settle', [positionId])
    return devnet.publicClient.getBlock()
  }
  const travelTo = async (timestamp: number) => {
    await devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await devnet.testClient.mine({ blocks: 1 })
  }

  test('default', async () => {
    const { address } = borrower()
    const { debts, ...rest } = await positionsOf(borrower())
    const block = Number(await devnet.publicClient.getBlockNumber())
    expect(rest).toEqual({ address, block, positions: [], withdrawable: [], nextCursor: null })
    expect(debts.map(({ debt: _, ...debt }) => debt)).toEqual(
      devnet.pools.map(({ poolId: id, market }) => ({
        poolId: id,
        protocol: 'morpho-blue',
        market,
        loanToken: devnet.contracts.loanToken,
        // debtHealth.test.ts compares the collateral.
        collateral: { token: expect.any(String), amount: expect.any(BigInt) },
        ...{ lltv: expect.any(BigInt), oraclePrice: expect.any(BigInt) },
        ...{ liquidationPrice: expect.any(BigInt), healthFactor: expect.any(BigInt) },
      })),
    )
    expect(await service.markets.positions({ address: zeroAddress })).toMatchObject({ debts: [], positions: [] })
  })

  test('behavior: a debt is what Morpho computes, with the interest of a month', async () => {
    const { address } = borrower()
    const debtNow = async () => {
      await service.sync.cycle()
      return (await positionsOf(borrower())).debts[0]?.debt ?? 0n
    }
    const before = await debtNow()
    await devnet.testClient.increaseTime({ seconds: 30 * 86_400 })
    await devnet.testClient.mine({ blocks: 1 })
    const pending = await debtNow()
    // 3,000,000 tUSD at 6.25 % for 30 days.
    expect(Number(pending - before) / 1e6).toBeCloseTo(15_410, -3)
    await accrue()
    const accrued = await debtNow()
    expect(accrued).toBe(await morphoDebt(address))
    // Pending interest was included, except for the elapsed seconds.
    expect(Number(accrued - pending) / Number(pending)).toBeLessThan(1e-7)
  })

  test('behavior: a fixed position is listed for both sides from the fill to the withdrawal', async () => {
    const expiry = series()?.expiry ?? 0
    const { loanToken: token } = devnet.contracts
    const quote = await take()
    const openedAtBlock = await devnet.publicClient.getBlockNumber()
    await service.sync.cycle()
    const position = {
      positionId: expect.any(BigInt),
      maker: quote.maker,
      borrower: borrower().address,
      poolId: poolId(),
      seriesKey: nearest(),
      loanToken: token,
      expiry,
      notional: quote.notional,
      cost: quote.vrtAmount,
      openedAtBlock,
    }
    const { timestamp } = await devnet.publicClient.getBlock({ blockNumber: openedAtBlock })
    const open = { ...position, accrued: 0n, settleable: false, checkpointed: false, readAt: Number(timestamp) }
    const { positions: ofBorrower } = await positionsOf(borrower())
    expect(ofBorrower).toEqual([{ ...open, role: 'borrower' }])
    expect((await positionsOf(maker())).positions).toEqual([{ ...open, role: 'maker' }])
    expect((await positionsOf(devnet.backers[2])).positions).toEqual([])
    expect(await positionsOf(borrower(), { status: 'settled' })).toMatchObject({ positions: [] })

    await travelTo(expiry - 1)
    await service.sync.cycle()
    const [before] = (await positionsOf(borrower())).positions
    expect(before).toMatchObject({ settleable: false })
    expect(before?.accrued).toBeGreaterThan(0n)
    await travelTo(expiry)
    await service.sync.cycle()
    const [due] = (await positionsOf(borrower())).positions
    expect(due).toMatchObject({ settleable: true })
    expect(due?.accrued).toBeGreaterThan(before?.accrued ?? 0n)

    // The first settlement sets the checkpoint one second later. The straight line to the expiry returns that second's
    // interest.
    const { number: blockNumber, transactions } = await settle(ofBorrower[0]?.positionId ?? 0n)
    // The settlement appears nowhere until the sync has read it.
    expect(await positionsOf(borrower(), { status: 'all' })).toMatchObject({ positions: [due], withdrawable: [] })
    await service.sync.cycle()
    const [{ settlement: found } = {}] = (await positionsOf(borrower(), { status: 'settled' })).positions
    const paid = found?.toBorrower ?? 0n
    // One second costs about 139 units. The line returns them except for its curvature and rounding.
    expect(Number(paid - (due?.accrued ?? 0n))).toBeCloseTo(0, -2)
    const toMaker = size - paid + quote.vrtAmount
    const settlement = { toBorrower: paid, toMaker, blockNumber, transactionHash: transactions[0] }
    expect(await positionsOf(borrower())).toMatchObject({ positions: [], withdrawable: [{ token, amount: paid }] })
    expect(await positionsOf(maker())).toMatchObject({ positions: [], withdrawable: [{ token, amount: toMaker }] })
    for (const status of ['settled', 'all'] as const) {
      const { positions } = await positionsOf(borrower(), { status })
      expect(positions).toEqual([{ ...position, role: 'borrower', settlement }])
      expect(await positionsOf(maker(), { status })).toMatchObject({ positions: [{ role: 'maker', settlement }] })
    }
    await send(borrower(), devnet.contracts.interestRatePool, interestRatePoolAbi as Abi, 'withdraw', [token])
    await service.sync.cycle()
    expect(await positionsOf(borrower(), { status: 'all' })).toMatchObject({ positions: [{}], withdrawable: [] })
  })

  test('behavior: from the checkpoint on, what has accrued is exactly what is paid, whenever it is settled', async () => {
    await take({ vrtAmount: 1n })
    await devnet.testClient.increaseTime({ seconds: 86_400 })
    await take({ vrtAmount: 2n })
    const { timestamp: openedAt } = await devnet.publicClient.getBlock()
    const expiry = series()?.expiry ?? 0
    await travelTo(expiry - 3_600)
    await service.sync.cycle()
    const lastOpening = { checkpointed: false, readAt: Number(openedAt) }
    expect((await positionsOf(borrower())).positions).toMatchObject([lastOpening, lastOpening])
    await send(devnet.deployer, devnet.contracts.interestRatePool, interestRatePoolAbi as Abi, 'observe', [nearest()])
    const { timestamp: observedAt } = await devnet.publicClient.getBlock()
    await travelTo(expiry + 30 * 86_400)
    await service.sync.cycle()
    const observation = { checkpointed: false, readAt: Number(observedAt) }
    expect((await positionsOf(borrower())).positions).toMatchObject([observation, observation])
    const [first, second] = (await positionsOf(borrower())).positions
    // The second position was opened a day later and has accrued less.
    expect(first?.accrued).toBeGreaterThan(second?.accrued ?? 0n)
    await settle(first?.positionId ?? 0n)
    const accrued: (bigint | undefined)[] = []
    for (const day of [31, 90]) {
      await travelTo(expiry + day * 86_400)
      await service.sync.cycle()
      expect((await positionsOf(borrower())).positions).toMatchObject([{ ...observation, checkpointed: true }])
      accrued.push(...(await positionsOf(borrower())).positions.map((position) => position.accrued))
    }
    expect(accrued).toEqual([accrued[0], accrued[0]])
    await settle(second?.positionId ?? 0n)
    await service.sync.cycle()
    const settled = (await positionsOf(borrower(), { status: 'settled' })).positions
    expect(settled.map(({ positionId }) => positionId)).toEqual([second?.positionId, first?.positionId])
    expect(settled[0]?.settlement?.toBorrower).toBe(accrued[0])
  })

  test('behavior: an account on both sides has the position twice', async () => {
    const both = borrower()
    const quote = await signedQuote(devnet, both, { seriesKey: nearest(), notional: 1_000n, vrtAmount: 1n })
    await createChainDriver(devnet).take(both, quote)
    await service.sync.cycle()
    const { positions } = await positionsOf(both, { limit: 1 })
    expect(positions.map(({ role }) => role)).toEqual(['maker', 'borrower'])
  })

  test('error: a node with a different block at the height of the synced one', async () => {
    const other = await devnet.testClient.snapshot()
    await travelTo((await devnet.publicClient.getBlock().then(({ timestamp }) => Number(timestamp))) + 10)
    await service.sync.cycle()
    await devnet.testClient.revert({ id: other })
    await expect(positionsOf(borrower())).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await travelTo((await devnet.publicClient.getBlock().then(({ timestamp }) => Number(timestamp))) + 11)
    await expect(positionsOf(borrower())).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      message: expect.stringContaining('different block'),
    })
    await service.sync.cycle()
    expect(await positionsOf(borrower())).toMatchObject({ positions: [] })
  })
})
