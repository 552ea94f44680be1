import { hashQuote, type QuoteMarketQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { approveParameters, cancelQuoteParameters } from '@firmquote/sdk'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { exampleOutstanding } from '../../testing/exampleOutstanding.ts'
import { createViemChain } from './createViemChain.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
}, 60_000)
afterAll(() => devnet.stop())

function place() {
  const { chainId, contracts, rpcUrl } = devnet
  return { rpcUrl, chainId, quoteMarket: contracts.quoteMarket, interestRatePool: contracts.interestRatePool }
}

function chainOf(index: 0 | 1 | 2, changes: Partial<ReturnType<typeof place>> = {}) {
  return createViemChain({ ...place(), account: privateKeyToAccount(devnet.backers[index].privateKey), ...changes })
}

/** An outstanding quote of a backer. */
function outstanding(index: 0 | 1 | 2, changes: Partial<QuoteMarketQuote> = {}) {
  const [pool] = devnet.pools
  const { address: maker } = devnet.backers[index]
  const seriesKey = pool.series[0]?.seriesKey ?? zeroHash
  const { quote } = exampleOutstanding({ maker, poolId: pool.poolId, seriesKey, notional: 5n, ...changes })
  const { chainId, quoteMarket } = place()
  return {
    hash: hashQuote(quote, { chainId, quoteMarket }),
    loanToken: devnet.contracts.loanToken,
    quote,
    asker: 'maker' as const,
  }
}

describe('createViemChain', () => {
  test('default: everything that a price needs, at one block', async () => {
    const [pool] = devnet.pools
    const [series] = pool.series
    const view = await chainOf(0).readMaker({ poolId: pool.poolId, seriesKey: series?.seriesKey ?? zeroHash }, [])
    expect(view).toMatchObject({
      decimals: 6,
      funds: { loanToken: devnet.contracts.loanToken, nonce: 0n, allowance: 2n ** 256n - 1n, ended: new Set() },
      series: { series: { poolId: pool.poolId, expiry: series?.expiry } },
    })
    expect(view?.funds.balance).toBeGreaterThan(0n)
    expect(view?.floatingRatePerSec).toBeGreaterThan(0n)
    expect(view?.funds.timestamp).toBe(view?.block.timestamp)
  })

  test('behavior: a pool and a series that are not there', async () => {
    const [pool] = devnet.pools
    expect(await chainOf(0).readMaker({ poolId: zeroHash, seriesKey: zeroHash }, [])).toBeNull()
    const view = await chainOf(0).readMaker({ poolId: pool.poolId, seriesKey: zeroHash }, [])
    expect(view?.series.series).toBeNull()
  })

  test('behavior: what was cancelled has ended, by the block that it is read at; funds are those of now', async () => {
    const [pool] = devnet.pools
    const chain = chainOf(1)
    const [one, two] = [outstanding(1), outstanding(1)]
    const market = { poolId: pool.poolId, seriesKey: one.quote.seriesKey }
    expect((await chain.readMaker(market, [one, two]))?.funds.ended).toEqual(new Set())
    const wallet = devnet.walletClient(devnet.backers[1])
    for (const hash of [
      await wallet.writeContract(cancelQuoteParameters(one.quote)),
      await wallet.writeContract(approveParameters({ loanToken: devnet.contracts.loanToken, amount: 77n })),
    ]) {
      await devnet.publicClient.waitForTransactionReceipt({ hash })
    }
    expect((await chain.readMaker(market, [one, two]))?.funds).toMatchObject({
      ended: new Set([one.hash]),
      allowance: 77n,
    })
    expect((await chain.readEnded([two, one])).ended).toEqual(new Set([one.hash]))
    expect((await chain.readEnded([])).ended).toEqual(new Set())
  })

  test('behavior: raiseNonce resolves when it is done', async () => {
    const [pool] = devnet.pools
    const chain = chainOf(2)
    const { transactionHash, nonce } = await chain.raiseNonce()
    const receipt = await devnet.publicClient.getTransactionReceipt({ hash: transactionHash })
    expect([nonce, receipt.status]).toEqual([1n, 'success'])
    const view = await chain.readMaker({ poolId: pool.poolId, seriesKey: zeroHash }, [])
    expect(view?.funds.nonce).toBe(1n)
  })

  test('error: without coins no transaction is sent', async () => {
    const account = privateKeyToAccount(`0x${'17'.repeat(32)}`)
    await expect(createViemChain({ ...place(), account }).raiseNonce()).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      message: expect.stringMatching(/^The transaction was not sent/),
    })
  })

  test('behavior: check accepts the right chain, and reports what is wrong with another', async () => {
    await chainOf(0).check()
    const { quoteMarket, interestRatePool } = place()
    await expect(chainOf(0, { chainId: 1 }).check()).rejects.toThrow(/is on chain 8453, not 1; set chain.rpcUrl/)
    await expect(chainOf(0, { quoteMarket: interestRatePool }).check()).rejects.toThrow(
      /is not a quote market; correct/,
    )
    await expect(chainOf(0, { interestRatePool: quoteMarket }).check()).rejects.toThrow(/correct chain.quoteMarket or/)
    await expect(chainOf(0, { rpcUrl: 'http://127.0.0.1:9' }).check()).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})
