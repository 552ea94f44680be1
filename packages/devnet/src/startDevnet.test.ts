import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { backerBalance, borrowerBalance, devnetMarkets } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { createTestMaker } from './testMaker.ts'

const day = 86_400

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet.stop())

describe('startDevnet', () => {
  it('default: chain 8453 on a free local port', async () => {
    expect(devnet.chainId).toBe(8453)
    expect(await devnet.publicClient.getChainId()).toBe(8453)
    expect(devnet.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(devnet.rpcUrl).not.toMatch(/:0$/)
  })

  it('behavior: two devnets have the same contracts at the same addresses', async () => {
    const other = await startDevnet({ chainId: 31_337 })
    try {
      expect(other.rpcUrl).not.toBe(devnet.rpcUrl)
      expect(await other.publicClient.getChainId()).toBe(31_337)
      expect(other.contracts).toEqual(devnet.contracts)
      for (const address of [...Object.values(devnet.contracts), ...devnetMarkets.map(({ params }) => params.irm)]) {
        const code = await devnet.publicClient.getCode({ address })
        expect(code?.length).toBeGreaterThan(2)
        // The code of the quote market and Morpho contains the chain id.
        expect((await other.publicClient.getCode({ address }))?.length).toBe(code?.length)
      }
      expect(other.pools.map(({ poolId }) => poolId)).toEqual(devnet.pools.map(({ poolId }) => poolId))
    } finally {
      await other.stop()
    }
  })

  it('behavior: two pools, five series each from a week to a year, at midnight UTC, nearest first', async () => {
    const now = Number((await devnet.publicClient.getBlock()).timestamp)
    expect(devnet.pools.map(({ name }) => name)).toEqual(['tUSD / tWETH', 'tUSD / tBTC'])
    for (const { series } of devnet.pools) {
      const expiries = series.map(({ expiry }) => expiry)
      expect(expiries).toHaveLength(5)
      expect(expiries.every((expiry) => expiry % day === 0)).toBe(true)
      expect(expiries).toEqual([...expiries].sort((a, b) => a - b))
      expect((expiries[0] ?? 0) - now).toBeGreaterThan(6.9 * day)
      expect((expiries[0] ?? 0) - now).toBeLessThan(8.1 * day)
      expect((expiries[4] ?? 0) - now).toBeGreaterThan(364.9 * day)
      expect((expiries[4] ?? 0) - now).toBeLessThan(366.1 * day)
    }
  })

  it('behavior: backers and borrowers can trade at once', async () => {
    const { loanToken, quoteMarket, interestRatePool } = devnet.contracts
    const token = { address: loanToken, abi: testTokenAbi } as const
    expect(await devnet.publicClient.readContract({ ...token, functionName: 'symbol' })).toBe('tUSD')
    expect(await devnet.publicClient.readContract({ ...token, functionName: 'decimals' })).toBe(6)
    for (const { address } of [...devnet.backers, ...devnet.borrowers]) {
      expect(
        await devnet.publicClient.readContract({ ...token, functionName: 'allowance', args: [address, quoteMarket] }),
      ).toBeGreaterThan(backerBalance)
    }
    const { balanceOf } = createTestMaker(devnet)
    for (const { address } of devnet.backers) expect(await balanceOf(address)).toBe(backerBalance)
    for (const [position, { address }] of devnet.borrowers.entries()) {
      const borrowed = devnetMarkets.reduce((sum, { debts }) => sum + (debts.borrowers[position] ?? 0n), 0n)
      expect(await balanceOf(address)).toBe(borrowerBalance + borrowed)
      expect(
        await devnet.publicClient.readContract({
          address: interestRatePool,
          abi: interestRatePoolAbi,
          functionName: 'isOperator',
          args: [address, quoteMarket],
        }),
      ).toBe(true)
    }
  })

  it('behavior: newcomers have debt and money, and have given nothing', async () => {
    const { loanToken, quoteMarket, interestRatePool } = devnet.contracts
    const { balanceOf } = createTestMaker(devnet)
    for (const [position, { address }] of devnet.newcomers.entries()) {
      const borrowed = devnetMarkets.reduce((sum, { debts }) => sum + (debts.newcomers[position] ?? 0n), 0n)
      expect(borrowed).toBeGreaterThan(0n)
      expect(await balanceOf(address)).toBe(borrowerBalance + borrowed)
      const [allowance, isOperator] = await Promise.all([
        devnet.publicClient.readContract({
          address: loanToken,
          abi: testTokenAbi,
          functionName: 'allowance',
          args: [address, quoteMarket],
        }),
        devnet.publicClient.readContract({
          address: interestRatePool,
          abi: interestRatePoolAbi,
          functionName: 'isOperator',
          args: [address, quoteMarket],
        }),
      ])
      expect([allowance, isOperator]).toEqual([0n, false])
    }
  })

  it('behavior: every account can be used through its wallet client', async () => {
    for (const account of [devnet.deployer, ...devnet.backers, ...devnet.borrowers, ...devnet.newcomers]) {
      const wallet = devnet.walletClient(account)
      expect(wallet.account.address).toBe(account.address)
      const hash = await wallet.sendTransaction({ to: devnet.deployer.address, value: 1n })
      expect((await devnet.publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
    }
  })

  it('behavior: with a block time blocks come by themselves, and transactions are still mined at once', async () => {
    const slow = await startDevnet({ blockTime: 600 })
    try {
      const [{ address }] = slow.backers
      const hash = await slow.walletClient(slow.deployer).sendTransaction({ to: address, value: 1n })
      expect((await slow.publicClient.waitForTransactionReceipt({ hash, timeout: 10_000 })).status).toBe('success')
    } finally {
      await slow.stop()
    }
    const timed = await startDevnet({ blockTime: 1 })
    try {
      const before = await timed.publicClient.getBlockNumber()
      await new Promise<void>((resolve, reject) => {
        const unwatch = timed.publicClient.watchBlockNumber({
          onBlockNumber(number) {
            if (number <= before) return
            unwatch()
            resolve()
          },
          onError: reject,
        })
      })
      expect(await timed.publicClient.getBlockNumber()).toBeGreaterThan(before)
    } finally {
      await timed.stop()
    }
  })

  it.each([
    { port: -1 },
    { port: 65_536 },
    { port: 1.5 },
    { chainId: 0 },
    { chainId: Number.NaN },
    { blockTime: 0 },
    { allowOrigin: 'localhost:3005' },
    { allowOrigin: 'http://localhost:3005/' },
    { allowOrigin: '*' },
  ])('error: %j', async (options) => {
    await expect(startDevnet(options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
