import { interestRatePoolAbi } from '@firmquote/core'
import { createTestPool, type Devnet, deployContract, startDevnet } from '@firmquote/devnet'
import { createListLog } from '@firmquote/test-support/listLog'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, erc20Abi, type Hex, pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { blacklistingTokenAbi, blacklistingTokenBytecode } from '../../../../packages/devnet/test/testContracts.ts'
import { createViemChain } from '../../src/adapters/viemChain/createViemChain.ts'
import { createKeeper } from '../../src/app/keeper.ts'
import { createPositionBook } from '../../src/app/positionBook.ts'
import type { KeeperRules } from '../../src/domain/keeping.ts'
import { openPositions, unsettledIds } from '../openPositions.ts'

const rules: KeeperRules = {
  mode: 'all',
  maxGas: 10_000_000n,
  maxGasPrice: 10n ** 11n,
  tokensPerCoin: 5_000n,
  latestSeconds: 86_400,
}

/**
 * Tests keepers on a real chain. The test has `makers` maker accounts, each with ten matured positions in a token that
 * rejects transfers to one of the borrowers.
 */
export function describeKeepers(makers: number): void {
  const count = 10 * makers
  let devnet: Devnet
  let token: Address
  let snapshot: Hex
  let expiry: bigint
  beforeAll(async () => {
    devnet = await startDevnet()
    token = await deployContract(devnet, { abi: blacklistingTokenAbi, bytecode: blacklistingTokenBytecode })
    const market = await createTestPool(devnet, token)
    expiry = market.expiry
    // The first backer is a maker and, in most tests, the keeper.
    const parties = Array.from({ length: count }, (_, at) => ({
      maker: at % makers === 0 ? devnet.backers[0].address : accountOf(at % makers),
      borrower: at % 7 === 0 ? blacklisted : accountOf(1_000 + at),
    }))
    await openPositions(devnet, { ...market, loanToken: token }, parties)
    const refuse = { address: token, abi: blacklistingTokenAbi, functionName: 'setBlacklisted' } as const
    const hash = await devnet.walletClient(devnet.deployer).writeContract({ ...refuse, args: [blacklisted, true] })
    await devnet.publicClient.waitForTransactionReceipt({ hash })
    await market.setIndex(1_020_000_000_000_000_000_000_000_000n)
    await devnet.testClient.setNextBlockTimestamp({ timestamp: expiry })
    await devnet.testClient.mine({ blocks: 1 })
    snapshot = await devnet.testClient.snapshot()
  }, 120_000)
  afterAll(() => devnet.stop())

  const restore = async () => {
    await devnet.testClient.revert({ id: snapshot })
    snapshot = await devnet.testClient.snapshot()
  }
  afterEach(restore)

  function keeperOf(index: 0 | 1 | 2, changes: Partial<KeeperRules> = {}, isDisabled = false) {
    const { chainId, contracts, rpcUrl } = devnet
    const account = privateKeyToAccount(devnet.backers[index].privateKey)
    const { positions: chain } = createViemChain({ ...contracts, rpcUrl, chainId, account })
    const own = { ...rules, ...changes }
    const maker = account.address
    const book = createPositionBook(chain, { maker, holdsAll: own.mode === 'all' })
    const log = createListLog()
    const keeper = createKeeper({
      ...{ maker, rules: own, chain, book },
      isDisabled: () => isDisabled,
      counts: { settled() {} },
      log,
    })
    const round = async () => {
      await book.refresh()
      await keeper.keep()
    }
    return { maker, book, logged: log.entries, round, chain }
  }

  const transactionsOf = (address: Address) => devnet.publicClient.getTransactionCount({ address })

  describe('keeper', () => {
    test(`default: ${count} matured positions of ${makers} makers, a borrower that its token refuses among them`, async () => {
      const keeper = keeperOf(0)
      const before = await transactionsOf(keeper.maker)
      const balance = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [keeper.maker] } as const
      const had = await devnet.publicClient.readContract(balance)
      await keeper.round()
      expect(await unsettledIds(devnet, count)).toEqual([])
      const settling = keeper.logged.filter(({ message }) => message === 'settled')
      expect(settling.length).toBeLessThanOrEqual(10)
      expect(settling.reduce((sum, { facts }) => sum + Number(facts['positions']), 0)).toBe(count)
      // The last transaction withdraws the credits of the keeper's ten positions.
      const sent = (await transactionsOf(keeper.maker)) - before
      expect(sent).toBe(settling.length + 1)
      const credited = { eventName: 'Credited', args: { account: keeper.maker }, fromBlock: 0n } as const
      const credits = await devnet.publicClient.getContractEvents({ ...poolOf(devnet), ...credited })
      expect(credits).toHaveLength(10)
      const owed = credits.reduce((sum, { args: { amount = 0n } }) => sum + amount, 0n)
      expect((await devnet.publicClient.readContract(balance)) - had).toBe(owed)
      process.stdout.write(`${count} positions in ${settling.length} transactions\n`)
      await keeper.round()
      expect(await transactionsOf(keeper.maker)).toBe(before + sent)
    }, 120_000)

    test('behavior: two concurrent keepers settle everything without a failed transaction', async () => {
      const keepers = [keeperOf(1), keeperOf(2)]
      const first = await devnet.publicClient.getBlockNumber()
      // Mine blocks that contain transactions from both keepers.
      await devnet.testClient.setAutomine(false)
      await devnet.testClient.setIntervalMining({ interval: 1 })
      await Promise.all(keepers.map(({ round }) => round()))
      await Promise.all(keepers.map(({ round }) => round()))
      await devnet.testClient.setIntervalMining({ interval: 0 })
      await devnet.testClient.setAutomine(true)
      expect(await unsettledIds(devnet, count)).toEqual([])
      const last = await devnet.publicClient.getBlockNumber()
      const hashes: Hex[] = []
      for (let blockNumber = first + 1n; blockNumber <= last; blockNumber++) {
        hashes.push(...(await devnet.publicClient.getBlock({ blockNumber })).transactions)
      }
      for (const hash of hashes) {
        expect((await devnet.publicClient.getTransactionReceipt({ hash })).status).toBe('success')
      }
      expect(hashes.length).toBeGreaterThan(0)
      expect(hashes.length).toBeLessThanOrEqual(10)
      expect(keepers.flatMap(({ logged }) => logged).filter(({ message }) => message !== 'settled')).toEqual([])
      process.stdout.write(`two keepers: ${hashes.length} transactions\n`)
    }, 120_000)

    test('behavior: mode own settles only its account, and unprofitable positions only when overdue', async () => {
      const poor = keeperOf(0, { mode: 'own', tokensPerCoin: 10n ** 12n })
      await poor.round()
      expect(poor.logged).toEqual([])
      const keeper = keeperOf(0, { mode: 'own' })
      await keeper.round()
      expect((await unsettledIds(devnet, count)).length).toBe(count - 10)
      expect(keeper.logged.map(({ message }) => message)).toEqual(['settled', 'withdrawn'])
      await restore()
      await devnet.testClient.setNextBlockTimestamp({ timestamp: expiry + 86_400n })
      await devnet.testClient.mine({ blocks: 1 })
      await poor.round()
      // The positions are settled because they are overdue, but the credits are still not worth a withdrawal.
      expect(poor.logged.map(({ message }) => message)).toEqual(['settled'])
    }, 60_000)

    test('behavior: sends nothing above the gas price limit, with a pending transaction, during shutdown or in mode off', async () => {
      for (const keeper of [keeperOf(0, { maxGasPrice: 1n }), keeperOf(0, {}, true), keeperOf(0, { mode: 'off' })]) {
        await keeper.round()
        expect(keeper.logged).toEqual([])
      }
      const waiting = keeperOf(0)
      await devnet.testClient.setAutomine(false)
      await devnet.walletClient(devnet.backers[0]).sendTransaction({ to: waiting.maker, value: 1n })
      await waiting.round()
      expect(waiting.logged).toEqual([])
      await devnet.testClient.mine({ blocks: 1 })
      await devnet.testClient.setAutomine(true)
    }, 60_000)

    test('behavior: concurrent transactions get consecutive nonces', async () => {
      const { chain } = keeperOf(0)
      await chain.settleMany(await unsettledIds(devnet, 10), rules.maxGas, rules.maxGasPrice)
      const before = await transactionsOf(devnet.backers[0].address)
      await Promise.all([chain.withdraw(token, rules.maxGasPrice), chain.withdraw(token, rules.maxGasPrice)])
      expect(await transactionsOf(devnet.backers[0].address)).toBe(before + 2)
      const credits = { functionName: 'credits', args: [devnet.backers[0].address, token] } as const
      expect(await devnet.publicClient.readContract({ ...poolOf(devnet), ...credits })).toBe(0n)
    }, 60_000)
  })
}

const poolOf = ({ contracts }: Devnet) => ({ address: contracts.interestRatePool, abi: interestRatePoolAbi }) as const
const accountOf = (number: number): Address => pad(toHex(0x7000_0000 + number), { size: 20 })
const blacklisted = accountOf(9_999)
