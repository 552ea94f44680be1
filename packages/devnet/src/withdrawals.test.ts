import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Abi, type Address, encodeFunctionData, type Hex, maxUint256, zeroAddress } from 'viem'
import { createTestPool, deployContract, type TestPool } from './createTestPool.ts'
import type { DevnetAccount } from './devnetAccounts.ts'
import { blacklistingTokenAbi, blacklistingTokenBytecode } from './generated/blacklistingToken.ts'
import { feeTokenAbi, feeTokenBytecode } from './generated/feeToken.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { noReturnTokenAbi, noReturnTokenBytecode } from './generated/noReturnToken.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { createTestMaker, eventsOf, type TestQuote } from './testMaker.ts'

const ray = 10n ** 27n

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

const toPool = (from: DevnetAccount, data: Hex) => testMaker.send(from, pool.address, data, 500_000n)
const withdraw = (from: DevnetAccount, token: Address) =>
  toPool(from, encodeFunctionData({ ...pool, functionName: 'withdraw', args: [token] }))
const withdrawForData = (account: Address, token: Address) =>
  encodeFunctionData({ ...pool, functionName: 'withdrawFor', args: [account, token] })
const creditOf = (account: Address, token: Address) =>
  devnet.publicClient.readContract({ ...pool, functionName: 'credits', args: [account, token] })
const owed = (token: Address) => devnet.publicClient.readContract({ ...pool, functionName: 'owed', args: [token] })
const balanceOf = (token: Address, account: Address) =>
  devnet.publicClient.readContract({ address: token, abi: testTokenAbi, functionName: 'balanceOf', args: [account] })

/** A pool of a token of which both parties have 10 and allow the market all. */
async function createMarket(abi: Abi, bytecode: Hex): Promise<{ token: Address; market: TestPool }> {
  const token = await deployContract(devnet, { abi, bytecode })
  const erc20 = testTokenAbi
  for (const account of [testMaker.maker, testMaker.borrower]) {
    const mint = encodeFunctionData({ abi: erc20, functionName: 'mint', args: [account.address, 10_000_000n] })
    const args = [devnet.contracts.quoteMarket, maxUint256] as const
    await testMaker.send(account, token, mint)
    await testMaker.send(account, token, encodeFunctionData({ abi: erc20, functionName: 'approve', args }))
  }
  return { token, market: await createTestPool(devnet, token) }
}

/** 1 of the token for 0.02. */
const quoteOf = ({ poolId, seriesKey }: TestPool, changes: Partial<TestQuote> = {}) =>
  testMaker.quote({ poolId, seriesKey, notional: 1_000_000n, vrtAmount: 20_000n, ...changes })

/** The next block has this time: the index of a later second would be another one. */
const settleAt = (timestamp: bigint) => devnet.testClient.setNextBlockTimestamp({ timestamp })

/** Opens positions, lets 5 % of interest accrue, and settles them at the expiry. */
async function settled(market: TestPool, count = 1): Promise<void> {
  const ids: bigint[] = []
  while (ids.length < count) {
    const quote = await quoteOf(market)
    ids.push((await testMaker.take(quote, await testMaker.sign(quote))).positionId)
  }
  await market.setIndex((ray * 105n) / 100n)
  await settleAt(market.expiry)
  for (const id of ids)
    await toPool(devnet.deployer, encodeFunctionData({ ...pool, functionName: 'settle', args: [id] }))
}

describe('withdraw', () => {
  it('default: each party withdraws its own, and nothing is left', async () => {
    const { maker, borrower } = testMaker
    const token = devnet.contracts.loanToken
    const before = await Promise.all([maker, borrower].map(({ address }) => balanceOf(token, address)))
    await settled(await createTestPool(devnet, token), 2)
    for (const [account, amount] of [
      [borrower, 100_000n],
      [maker, 1_940_000n],
    ] as const) {
      expect(await creditOf(account.address, token)).toBe(amount)
      const receipt = await withdraw(account, token)
      expect(eventsOf(receipt, 'Withdrawn').map(({ args }) => args)).toEqual([
        { account: account.address, token, amount },
      ])
      expect(await creditOf(account.address, token)).toBe(0n)
    }
    const after = await Promise.all([maker, borrower].map(({ address }) => balanceOf(token, address)))
    expect(after.map((balance, position) => balance - (before[position] ?? 0n))).toEqual([-60_000n, 60_000n])
    expect([await owed(token), await balanceOf(token, pool.address)]).toEqual([0n, 0n])
  })

  it('behavior: anyone withdraws for an account, to that account', async () => {
    const token = devnet.contracts.loanToken
    await settled(await createTestPool(devnet, token))
    const [before, others] = [
      await balanceOf(token, testMaker.maker.address),
      await balanceOf(token, devnet.deployer.address),
    ]
    await toPool(devnet.deployer, withdrawForData(testMaker.maker.address, token))
    expect((await balanceOf(token, testMaker.maker.address)) - before).toBe(970_000n)
    expect(await balanceOf(token, devnet.deployer.address)).toBe(others)
    expect(await creditOf(testMaker.borrower.address, token)).toBe(50_000n)
  })

  it('behavior: nothing to withdraw is no error, so that no bundle is made to fail by withdrawing before it', async () => {
    const token = devnet.contracts.loanToken
    await settled(await createTestPool(devnet, token))
    await withdraw(testMaker.maker, token)
    for (const receipt of [await withdraw(testMaker.maker, token), await withdraw(testMaker.maker, zeroAddress)]) {
      expect(eventsOf(receipt, 'Withdrawn')).toEqual([])
    }
    expect(await owed(token)).toBe(50_000n)
  })
})

describe('tokens', () => {
  it('behavior: one that refuses the borrower keeps nothing from the maker, and nothing for good from the borrower', async () => {
    const { maker, borrower } = testMaker
    const { token, market } = await createMarket(blacklistingTokenAbi, blacklistingTokenBytecode)
    const list = (listed: boolean) => {
      const args = [borrower.address, listed] as const
      const data = encodeFunctionData({ abi: blacklistingTokenAbi, functionName: 'setBlacklisted', args })
      return testMaker.send(devnet.deployer, token, data)
    }
    const quote = await quoteOf(market)
    const { positionId } = await testMaker.take(quote, await testMaker.sign(quote))
    await list(true)
    await market.setIndex((ray * 105n) / 100n)
    await settleAt(market.expiry)
    await toPool(devnet.deployer, encodeFunctionData({ ...pool, functionName: 'settle', args: [positionId] }))
    await withdraw(maker, token)
    expect(await balanceOf(token, maker.address)).toBe(9_970_000n)
    const toBorrower = withdrawForData(borrower.address, token)
    expect(await testMaker.revertOf(devnet.deployer.address, pool.address, toBorrower)).toBe(
      `Blacklisted(${borrower.address})`,
    )
    await list(false)
    await withdraw(borrower, token)
    expect(await balanceOf(token, borrower.address)).toBe(10_030_000n)
  })

  it('behavior: one that returns nothing lives through all of it', async () => {
    const { maker, borrower } = testMaker
    const { token, market } = await createMarket(noReturnTokenAbi, noReturnTokenBytecode)
    await settled(market)
    await withdraw(maker, token)
    await withdraw(borrower, token)
    expect(await balanceOf(token, maker.address)).toBe(9_970_000n)
    expect(await balanceOf(token, borrower.address)).toBe(10_030_000n)
    expect(await balanceOf(token, pool.address)).toBe(0n)
  })

  it('behavior: a cost of zero is no transfer, which some tokens refuse', async () => {
    const { market } = await createMarket(feeTokenAbi, feeTokenBytecode)
    const quote = await quoteOf(market, { vrtAmount: 0n })
    const { receipt } = await testMaker.take(quote, await testMaker.sign(quote))
    expect(eventsOf(receipt, 'Transfer').map(({ args }) => args.value)).toEqual([1_000_000n])
  })

  const setFees = (token: Address, ofReceiver: bigint, ofSender: bigint) => {
    const args = [ofReceiver, ofSender] as const
    return testMaker.send(
      devnet.deployer,
      token,
      encodeFunctionData({ abi: feeTokenAbi, functionName: 'setFees', args }),
    )
  }

  it('error: one that takes a fee is refused, also when the pool has more than it owes', async () => {
    const { token, market } = await createMarket(feeTokenAbi, feeTokenBytecode)
    const args = [pool.address, 5_000_000n] as const
    await testMaker.send(testMaker.maker, token, encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args }))
    const quote = await quoteOf(market)
    const signature = await testMaker.sign(quote)
    // A millionth of the notional is one unit.
    await setFees(token, 1n, 0n)
    expect(await testMaker.takeRevert(quote, signature)).toBe(`TransferIncomplete(${token})`)
    await setFees(token, 0n, 0n)
    await testMaker.take(quote, signature)
    expect(await owed(token)).toBe(1_020_000n)
  })

  it('error: one that takes a fee of the sender later cannot be paid with what is owed to others', async () => {
    const { token, market } = await createMarket(feeTokenAbi, feeTokenBytecode)
    await settled(market)
    await setFees(token, 0n, 100_000n)
    const data = withdrawForData(testMaker.borrower.address, token)
    expect(await testMaker.revertOf(devnet.deployer.address, pool.address, data)).toBe(`TransferIncomplete(${token})`)
    // A fee of the receiver is the receiver's.
    await setFees(token, 100_000n, 0n)
    await toPool(devnet.deployer, data)
    expect(await balanceOf(token, testMaker.borrower.address)).toBe(9_980_000n + 45_000n)
    expect(await balanceOf(token, pool.address)).toBe(970_000n)
  })
})
