import { randomInt } from 'node:crypto'
import { hashQuote, interestRatePoolAbi, type QuoteMarketQuote, rateAdapterAbi } from '@firmquote/core'
import { takeQuoteParameters } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Address, parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, testMaker, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createReport } from '../../domain/positionReport.ts'
import { createViemChain } from './createViemChain.ts'
import { readMakerPositions } from './readMakerPositions.ts'

useTestDevnet()

async function quoteOf(backer: 0 | 1, terms: Partial<QuoteMarketQuote> = {}) {
  const maker = devnet.backers[backer]
  const quote = await testMaker.quote({
    maker: maker.address,
    notional: 1_000_000_000n,
    vrtAmount: 10_000_001n,
    ...terms,
  })
  const hash = hashQuote(quote, { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket })
  return { quote, hash, signature: await testMaker.sign(quote, maker) }
}

async function take(backer: 0 | 1, terms: Partial<QuoteMarketQuote> = {}) {
  const { quote, hash, signature } = await quoteOf(backer, terms)
  return { hash, ...(await testMaker.take(quote, signature)) }
}

const place = () => {
  const { chainId, contracts, rpcUrl } = devnet
  return { rpcUrl, chainId, quoteMarket: contracts.quoteMarket, interestRatePool: contracts.interestRatePool }
}
const chainOf = (backer: 0 | 1) =>
  createViemChain({ ...place(), account: privateKeyToAccount(devnet.backers[backer].privateKey) })

describe('readFill', () => {
  test('default: reads a fill from its block, also among others', async () => {
    const { testClient, publicClient, contracts, pools, borrowers } = devnet
    await testClient.setAutomine(false)
    const terms = { vrtAmount: 10_000_003n }
    const wallet = devnet.walletClient(borrowers[0])
    const sent = []
    for (const backer of [0, 1, 0] as const) {
      const { quote, hash, signature } = await quoteOf(backer, terms)
      const call = { ...takeQuoteParameters({ ...quote, signature }), gas: 900_000n }
      sent.push({ quote, hash, transactionHash: await wallet.writeContract(call) })
    }
    await testClient.mine({ blocks: 1 })
    await testClient.setAutomine(true)
    const block = await publicClient.getBlockNumber()
    const fills = [
      await chainOf(0).readFill(sent[0]?.hash ?? '0x', block),
      await chainOf(1).readFill(sent[1]?.hash ?? '0x', block),
      await chainOf(0).readFill(sent[2]?.hash ?? '0x', block),
    ]
    for (const [index, fill] of fills.entries()) {
      const { hash, transactionHash, quote } = sent[index] ?? {}
      const [series] = pools[0].series
      expect(fill).toEqual({
        hash,
        transactionHash,
        block,
        taker: borrowers[0].address,
        poolId: pools[0].poolId,
        seriesKey: series?.seriesKey,
        loanToken: contracts.loanToken,
        expiry: series?.expiry,
        notional: quote?.notional,
        cost: 10_000_003n,
        positionId: expect.any(BigInt),
      })
    }
    const ids = fills.map((fill) => fill?.positionId ?? 0n)
    for (const [index, id] of ids.entries()) {
      const args = { ...{ address: contracts.interestRatePool, abi: interestRatePoolAbi }, args: [id] } as const
      const [maker] = await publicClient.readContract({ ...args, functionName: 'positions' })
      expect(maker).toBe(devnet.backers[index === 1 ? 1 : 0].address)
    }
    expect(new Set(ids).size).toBe(3)
  })

  test('behavior: null in another block, in a future block, and for another maker', async () => {
    const { hash, receipt } = await take(0)
    const { blockNumber } = receipt
    expect(await chainOf(0).readFill(hash, blockNumber)).not.toBeNull()
    expect(await chainOf(0).readFill(hash, blockNumber - 1n)).toBeNull()
    expect(await chainOf(1).readFill(hash, blockNumber)).toBeNull()
    const future = await chainOf(0)
      .readFill(hash, blockNumber + 1_000n)
      .catch((error: { code: string }) => error.code)
    expect([null, 'CHAIN_UNAVAILABLE']).toContain(future)
  })

  test('error: a node that does not answer', async () => {
    const account = privateKeyToAccount(devnet.backers[0].privateKey)
    const chain = createViemChain({ ...place(), rpcUrl: 'http://127.0.0.1:9', account })
    await expect(chain.readFill(`0x${'11'.repeat(32)}`, 1n)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })
})

describe('readMakerPositions', () => {
  const read = (maker: Address, positionIds: readonly bigint[]) =>
    readMakerPositions({ ...place(), maker, positionIds })

  test('behavior: without positions', async () => {
    const { address } = devnet.backers[0]
    const readings = await read(address, [])
    expect(readings).toMatchObject({ maker: address, chainId: 8453, positions: [], tokens: [] })
    expect(readings.block.number).toBe(await devnet.publicClient.getBlockNumber())
  })

  test('error: other contracts', async () => {
    const wrong = { ...place(), interestRatePool: devnet.contracts.quoteMarket }
    await expect(
      readMakerPositions({ ...wrong, maker: devnet.backers[0].address, positionIds: [] }),
    ).rejects.toMatchObject({ name: 'ConfigurationError' })
  })

  test('default: figures match the contract from opening to settlement, and payouts add up', async () => {
    const { publicClient, contracts, backers, borrowers, pools, deployer } = devnet
    const pool = { address: contracts.interestRatePool, abi: interestRatePoolAbi } as const
    const creditOf = (account: Address) =>
      publicClient.readContract({ ...pool, functionName: 'credits', args: [account, contracts.loanToken] })
    const indexNow = (blockNumber: bigint) =>
      publicClient.readContract({
        address: contracts.morphoAdapter,
        abi: rateAdapterAbi,
        functionName: 'index',
        args: [pools[0].market],
        blockNumber,
      })

    const ids: bigint[] = []
    for (let number = 0; number < 8; number++) {
      const terms = {
        seriesKey: pools[0].series[number % 2]?.seriesKey ?? '0x',
        notional: BigInt(randomInt(1, 10_000_000_000)),
        vrtAmount: BigInt(randomInt(0, 100_000)),
      }
      const { positionId, receipt } = await take(0, terms)
      ids.push(positionId)
      const { timestamp } = await publicClient.getBlock({ blockNumber: receipt.blockNumber })
      await testMaker.travelTo(timestamp + BigInt(randomInt(3_600, 40_000)))
    }
    const other = (await take(1)).positionId
    const maker = backers[0].address
    const report = async () => createReport(await read(maker, [...ids, other]))

    const open = await report()
    expect(open.positions.map(({ positionId }) => positionId)).toEqual(ids)
    expect(open.tokens).toEqual([{ address: contracts.loanToken, symbol: 'tUSD', decimals: 6 }])
    expect(open.exposure.map(({ positions }) => positions)).toEqual([4, 4])
    const index = await indexNow(open.block.number)
    for (const { positionId, notional, floating, state } of open.positions) {
      const args = [positionId] as const
      const [, , , , , , , , indexAtOpen] = await publicClient.readContract({
        ...pool,
        functionName: 'positions',
        args,
      })
      expect({ state, floating }).toEqual({ state: 'open', floating: (notional * (index - indexAtOpen)) / indexAtOpen })
    }
    expect(open.positions.some(({ floating }) => floating > 0n)).toBe(true)

    // The first series expires. The contract has not stored the series' checkpoint, so it computes the checkpoint as of
    // this block.
    const [first, second] = pools[0].series
    if (!first || !second) throw new TypeError('there are no series')
    await testMaker.travelTo(BigInt(first.expiry) + 5_000n)
    const ended = await report()
    const last = await publicClient.readContract({ ...pool, functionName: 'positions', args: [other] })
    const [lastOpenedAt, lastIndex] = [last[2], last[8]]
    const grown = (await indexNow(ended.block.number)) - lastIndex
    const term = (BigInt(first.expiry) - lastOpenedAt) * grown
    const atExpiry = lastIndex + term / (ended.block.timestamp - lastOpenedAt)
    for (const { positionId, notional, floating, state, seriesKey } of ended.positions) {
      expect(state).toBe(seriesKey === first.seriesKey ? 'settleable' : 'open')
      if (state === 'open') continue
      const args = [positionId] as const
      const [, , , , , , , , indexAtOpen] = await publicClient.readContract({
        ...pool,
        functionName: 'positions',
        args,
      })
      expect(floating).toBe((notional * (atExpiry - indexAtOpen)) / indexAtOpen)
    }

    // Settle all positions later, in a different order. The report must match what the contract paid.
    await testMaker.travelTo(BigInt(second.expiry) + 100n)
    const wallet = devnet.walletClient(deployer)
    const before = { maker: await creditOf(maker), borrower: await creditOf(borrowers[0].address) }
    const paid = new Map<bigint, bigint>()
    for (const [order, id] of [...ids].reverse().entries()) {
      const partly = await report()
      expect(partly.positions.filter(({ state }) => state === 'settled')).toHaveLength(order)
      const call = { ...pool, functionName: 'settle', args: [id], gas: 500_000n } as const
      const receipt = await publicClient.waitForTransactionReceipt({ hash: await wallet.writeContract(call) })
      const [settled] = parseEventLogs({ abi: interestRatePoolAbi, logs: receipt.logs, eventName: 'PositionSettled' })
      paid.set(id, settled?.args.toBorrower ?? -1n)
      const stored = await report()
      expect(stored.positions.find(({ positionId }) => positionId === id)?.floating).toBe(settled?.args.toBorrower)
    }
    const done = await report()
    expect(done.exposure).toEqual([])
    expect(done.positions.map(({ positionId, floating }) => [positionId, floating])).toEqual(
      ids.map((id) => [id, paid.get(id)]),
    )
    const { all, settled, unsettled } = done.totals[0] ?? {}
    if (!all) throw new TypeError('there is no total')
    expect(settled).toEqual(all)
    expect(unsettled?.positions).toBe(0)
    const toMaker = (await creditOf(maker)) - before.maker
    const toBorrower = (await creditOf(borrowers[0].address)) - before.borrower
    expect(toMaker).toBe(all.notional + all.pnl)
    expect(toBorrower).toBe(all.floating)
    // Payouts equal deposits plus premiums exactly, in raw units.
    expect(toMaker + toBorrower - all.notional - all.premium).toBe(0n)
  }, 60_000)
})
