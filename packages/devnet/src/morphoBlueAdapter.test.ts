import { ratePerSecToApr } from '@firmquote/core'
import { describe, expect, it } from '@jest/globals'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { deployments } from './devnetAddresses.ts'
import { devnetMarkets, type MarketParams } from './devnetMarkets.ts'
import { linearIrmAbi } from './generated/linearIrm.ts'
import { morphoAbi } from './generated/morpho.ts'
import { morphoBlueAdapterAbi } from './generated/morphoBlueAdapter.ts'
import { testTokenAbi } from './generated/testToken.ts'

useTestDevnet()

const [{ params, market, debts, supply }] = devnetMarkets

/**
 * Sends a transaction with a fixed gas limit, because an estimate without pending interest would be too low for the
 * next block.
 */
const toMorpho = async (data: Hex, from = devnet.deployer) => {
  const hash = await devnet.walletClient(from).sendTransaction({ to: devnet.contracts.morpho, data, gas: 1_000_000n })
  expect((await devnet.publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
}
const accrue = () => toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'accrueInterest', args: [params] }))

const readAdapter = async (of: Hex = market) => {
  const adapter = { address: devnet.contracts.morphoAdapter, abi: morphoBlueAdapterAbi } as const
  const debtOf = ({ address }: { address: Address }) =>
    devnet.publicClient.readContract({ ...adapter, functionName: 'debtOf', args: [of, address] })
  return {
    rate: await devnet.publicClient.readContract({ ...adapter, functionName: 'ratePerSec', args: [of] }),
    index: await devnet.publicClient.readContract({ ...adapter, functionName: 'index', args: [of] }),
    debts: await Promise.all([...devnet.borrowers, devnet.deployer].map(debtOf)),
  }
}

const readMarket = async () => {
  const [totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee] =
    await devnet.publicClient.readContract({
      address: devnet.contracts.morpho,
      abi: morphoAbi,
      functionName: 'market',
      args: [market],
    })
  return { totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee }
}

/** Reads the adapter twice at the same timestamp, before and after Morpho accrues interest. */
async function readAround(timestamp: bigint) {
  const before = await devnet.testClient.snapshot()
  await testMaker.travelTo(timestamp)
  const pending = await readAdapter()
  await devnet.testClient.revert({ id: before })
  await devnet.testClient.setNextBlockTimestamp({ timestamp })
  await accrue()
  expect(await testMaker.now()).toBe(timestamp)
  return { pending, accrued: await readAdapter() }
}

describe('MorphoBlueAdapter', () => {
  it('default: the seeded debts, at a plausible floating rate', async () => {
    const { rate, index, debts: owed } = await readAdapter()
    expect(owed.at(-1)).toBe(0n)
    for (const [position, debt] of debts.borrowers.entries()) {
      expect(owed[position]).toBeGreaterThanOrEqual(debt)
      // A few seconds of interest at most.
      expect(owed[position]).toBeLessThan(debt + debt / 1_000_000n)
    }
    expect(ratePerSecToApr(rate)).toBeCloseTo(6.25, 3)
    expect(index).toBeGreaterThanOrEqual(10n ** 27n)
    const second = await readAdapter(devnetMarkets[1].market)
    expect(ratePerSecToApr(second.rate)).toBeCloseTo(5.2, 3)
  })

  it.each([1n, 3_600n, 30n * 86_400n, 400n * 86_400n])(
    'behavior: after %i seconds it says what Morpho writes down',
    async (seconds) => {
      const { pending, accrued } = await readAround((await testMaker.now()) + seconds)
      expect(pending).toEqual(accrued)

      const state = await readMarket()
      expect(accrued.rate).toBe(
        await devnet.publicClient.readContract({
          address: params.irm,
          abi: linearIrmAbi,
          functionName: 'borrowRateView',
          args: [params, state],
        }),
      )
      expect(accrued.index).toBe(((state.totalBorrowAssets + 1n) * 10n ** 33n) / (state.totalBorrowShares + 1_000_000n))
    },
  )

  it('behavior: a protocol fee changes nothing for borrowers, and the rate still agrees', async () => {
    await toMorpho(
      encodeFunctionData({ abi: morphoAbi, functionName: 'setFeeRecipient', args: [devnet.deployer.address] }),
    )
    await toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'setFee', args: [params, 10n ** 17n] }))
    const { pending, accrued } = await readAround((await testMaker.now()) + 86_400n)
    expect(pending).toEqual(accrued)
  })

  it('behavior: the debt is exactly what repaying it all costs', async () => {
    const [, borrower] = devnet.borrowers
    await testMaker.send(
      borrower,
      devnet.contracts.loanToken,
      encodeFunctionData({
        abi: testTokenAbi,
        functionName: 'approve',
        args: [devnet.contracts.morpho, 2n ** 256n - 1n],
      }),
    )
    await testMaker.send(
      borrower,
      devnet.contracts.loanToken,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [borrower.address, supply] }),
    )
    const at = (await testMaker.now()) + 90n * 86_400n
    await testMaker.travelTo(at)
    await devnet.testClient.setNextBlockTimestamp({ timestamp: at })
    await accrue()
    const [, owed] = (await readAdapter()).debts
    const [, borrowShares] = await devnet.publicClient.readContract({
      address: devnet.contracts.morpho,
      abi: morphoAbi,
      functionName: 'position',
      args: [market, borrower.address],
    })
    const { result } = await devnet.publicClient.simulateContract({
      account: borrower.address,
      address: devnet.contracts.morpho,
      abi: morphoAbi,
      functionName: 'repay',
      args: [params, 0n, borrowShares, borrower.address, '0x'],
    })
    expect(result[0]).toBe(owed)
  })

  it('behavior: a market without a rate model has no interest', async () => {
    const idle: MarketParams = { ...params, irm: zeroAddress }
    const id = keccak256(
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
        [idle.loanToken, idle.collateralToken, idle.oracle, idle.irm, idle.lltv],
      ),
    )
    await toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'enableIrm', args: [zeroAddress] }))
    await toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'createMarket', args: [idle] }))
    await testMaker.travelTo((await testMaker.now()) + 86_400n)
    expect(await readAdapter(id)).toEqual({ rate: 0n, index: 10n ** 27n, debts: [0n, 0n, 0n, 0n] })
  })

  it('error: an unknown market', async () => {
    const { morphoAdapter } = devnet.contracts
    for (const data of [
      encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'ratePerSec', args: [zeroHash] }),
      encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'index', args: [zeroHash] }),
      encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'debtOf', args: [zeroHash, zeroAddress] }),
    ]) {
      expect(await testMaker.revertOf(zeroAddress, morphoAdapter, data)).toBe(`MarketNotFound(${zeroHash})`)
    }
  })

  it('behavior: Morpho is the compiled original, owned by the deployer', async () => {
    const morpho = { address: devnet.contracts.morpho, abi: morphoAbi } as const
    expect(deployments.morpho.address).toBe(devnet.contracts.morpho)
    expect(await devnet.publicClient.readContract({ ...morpho, functionName: 'owner' })).toBe(devnet.deployer.address)
    expect(
      await devnet.publicClient.readContract({ ...morpho, functionName: 'isLltvEnabled', args: [params.lltv] }),
    ).toBe(true)
  })
})
