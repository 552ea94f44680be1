import { hashQuote, type QuoteMarketQuote } from '@firmquote/core'
import { interestRatePoolAbi } from '@firmquote/devnet'
import { approveParameters, cancelQuoteParameters } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Address, encodeAbiParameters, keccak256, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../../../../../packages/devnet/test/testContracts.ts'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { exampleOutstanding } from '../../../test/exampleOutstanding.ts'
import { approveLoanTokens } from './approveLoanTokens.ts'
import { createViemChain } from './createViemChain.ts'

useDevnet()

function place() {
  const { chainId, contracts, rpcUrl } = devnet
  return { rpcUrl, chainId, quoteMarket: contracts.quoteMarket, interestRatePool: contracts.interestRatePool }
}

function chainOf(index: 0 | 1 | 2, changes: Partial<ReturnType<typeof place> & { keeperBundler: Address }> = {}) {
  return createViemChain({ ...place(), account: privateKeyToAccount(devnet.backers[index].privateKey), ...changes })
}

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

describe('checkKeeper', () => {
  test('default: the keeper bundler of the pool', async () => {
    const { keeperBundler } = devnet.contracts
    await expect(chainOf(0, { keeperBundler }).positions.checkKeeper()).resolves.toBeUndefined()
  })

  test('error: another contract', async () => {
    const { loanToken } = devnet.contracts
    await expect(chainOf(0, { keeperBundler: loanToken }).positions.checkKeeper()).rejects.toThrow(
      /is not a keeper bundler; correct chain\.keeperBundler/,
    )
  })
})

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

  test('behavior: cancelled quotes have ended as of the block that was read; funds are current', async () => {
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

  test('error: sends no transaction without native coins', async () => {
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
    await expect(chainOf(0, { quoteMarket: devnet.contracts.keeperBundler }).check()).rejects.toThrow(
      /is not a quote market; correct/,
    )
    await expect(chainOf(0, { quoteMarket: interestRatePool }).check()).rejects.toThrow(
      /signs for \(InterestRatePool, .* which is not a quote market on chain/,
    )
    await expect(chainOf(0, { interestRatePool: quoteMarket }).check()).rejects.toThrow(/correct chain.quoteMarket or/)
    await expect(chainOf(0, { rpcUrl: 'http://127.0.0.1:9' }).check()).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})

describe('approveLoanTokens', () => {
  test('behavior: resets an allowance to zero if the token requires it; keeps a matching one', async () => {
    const { publicClient, contracts } = devnet
    const mined = (hash: `0x${string}`) => publicClient.waitForTransactionReceipt({ hash })
    const owner = devnet.walletClient(devnet.deployer)
    const deployed = await mined(await owner.deployContract({ abi: noReturnTokenAbi, bytecode: noReturnTokenBytecode }))
    const loanToken = deployed.contractAddress as Address
    const token = { address: loanToken, symbol: 'NRT', decimals: 6 }
    const { market } = devnet.pools[0]
    const args = [loanToken, contracts.morphoAdapter, market] as const
    const pool = { address: contracts.interestRatePool, abi: interestRatePoolAbi } as const
    await mined(await owner.writeContract({ ...pool, functionName: 'createPool', args }))
    const poolId = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'bytes32' }], args))

    const account = privateKeyToAccount(devnet.backers[0].privateKey)
    const sent = () => publicClient.getTransactionCount({ address: account.address })
    for (const [amount, transactions] of [
      ['500000', 1],
      ['400000', 2],
      ['400000', 0],
      ['0', 1],
    ] as const) {
      const before = await sent()
      const [approval] = await approveLoanTokens({ ...place(), account }, [{ poolId, loanToken: token }], amount)
      expect((await sent()) - before).toBe(transactions)
      expect(approval?.transactionHash === null).toBe(transactions === 0)
      const allowance = await publicClient.readContract({
        address: loanToken,
        abi: noReturnTokenAbi,
        functionName: 'allowance',
        args: [account.address, contracts.quoteMarket],
      })
      expect(allowance).toBe(BigInt(amount) * 1_000_000n)
    }

    const before = await sent()
    for (const [change, message] of [
      [{ decimals: 4 }, /has 6 decimals on-chain, but 4 according to the service/],
      [{ address: contracts.loanToken }, /on-chain, but 0x\w+ in the service/],
    ] as const) {
      const pools = [{ poolId, loanToken: { ...token, ...change } }]
      await expect(approveLoanTokens({ ...place(), account }, pools, '1')).rejects.toThrow(message)
    }
    expect(await sent()).toBe(before)
  })
})
