import { compareWithFloating, floatingGrowth, secondsPerYear } from '@firmquote/core'
import { describe, expect, it } from '@jest/globals'
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, maxUint256 } from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { deployContract } from './createTestPool.ts'
import { deployer } from './devnetAccounts.ts'
import { devnetMarkets, type MarketParams, seriesCap, seriesKeyOf } from './devnetMarkets.ts'
import { constantIrmAbi, constantIrmBytecode } from './generated/constantIrm.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { morphoAbi } from './generated/morpho.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { eventsOf } from './testMaker.ts'

useTestDevnet()

const [{ params: usual, collateral }] = devnetMarkets
const wad = 10n ** 18n
const ray = 10n ** 27n
const day = 86_400n
const term = 91n * day
const notional = 3_000_000_000_000n
const vrtAmount = 49_769_500_000n
const borrowed = 15_000_000_000_000n
// Estimates use the last block's time, at which the market may have no interest to accrue.
const gas = 1_000_000n

const send = (to: Hex, data: Hex) => testMaker.send(devnet.deployer, to, data, gas)
const onPool = { abi: interestRatePoolAbi } as const
const onMorpho = { abi: morphoAbi } as const

/** Opens a Morpho market with a constant rate (WAD per second), borrows from it, and creates a pool on it. */
async function createConstantMarket(rate: bigint): Promise<{ params: MarketParams; poolId: Hex }> {
  const { morpho, morphoAdapter, interestRatePool } = devnet.contracts
  const irm = await deployContract(devnet, { abi: constantIrmAbi, bytecode: constantIrmBytecode, args: [rate] })
  const params = { ...usual, irm }
  const from = deployer.address
  for (const token of [params.loanToken, params.collateralToken]) {
    const call = { abi: testTokenAbi } as const
    await send(
      token,
      encodeFunctionData({ ...call, functionName: 'mint', args: [from, 10n * borrowed + 4n * collateral] }),
    )
    await send(token, encodeFunctionData({ ...call, functionName: 'approve', args: [morpho, maxUint256] }))
  }
  for (const data of [
    encodeFunctionData({ ...onMorpho, functionName: 'enableIrm', args: [irm] }),
    encodeFunctionData({ ...onMorpho, functionName: 'createMarket', args: [params] }),
    encodeFunctionData({ ...onMorpho, functionName: 'supply', args: [params, 2n * borrowed, 0n, from, '0x'] }),
    encodeFunctionData({
      ...onMorpho,
      functionName: 'supplyCollateral',
      args: [params, 4n * collateral, from, '0x'],
    }),
    encodeFunctionData({ ...onMorpho, functionName: 'borrow', args: [params, borrowed, 0n, from, from] }),
  ]) {
    await send(morpho, data)
  }
  const { loanToken, collateralToken, oracle, lltv } = params
  const market = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'address' }, { type: 'uint256' }],
      [loanToken, collateralToken, oracle, irm, lltv],
    ),
  )
  const created = await send(
    interestRatePool,
    encodeFunctionData({ ...onPool, functionName: 'createPool', args: [loanToken, morphoAdapter, market] }),
  )
  return { params, poolId: eventsOf(created, 'PoolCreated')[0]?.args.poolId ?? '0x' }
}

/** Holds a position until `late` seconds after its expiry, accrues the market daily, and settles. */
async function holdPosition(rate: bigint, late: bigint) {
  const { morpho, interestRatePool } = devnet.contracts
  const { params, poolId } = await createConstantMarket(rate)
  const expiry = (await testMaker.now()) + term
  await send(
    interestRatePool,
    encodeFunctionData({ ...onPool, functionName: 'createSeries', args: [poolId, expiry, seriesCap] }),
  )
  const seriesKey = seriesKeyOf(poolId, Number(expiry))
  const terms = await testMaker.quote({ poolId, seriesKey, notional, vrtAmount })
  const { positionId, receipt } = await testMaker.take(terms, await testMaker.sign(terms))
  const { timestamp: openedAt } = await devnet.publicClient.getBlock({ blockNumber: receipt.blockNumber })
  const seconds = Number(expiry - openedAt)
  const end = expiry + late
  const accrue = encodeFunctionData({ ...onMorpho, functionName: 'accrueInterest', args: [params] })
  let accruals = 1n
  for (let at = openedAt + day; at < end; at += day) {
    accruals += 1n
    await devnet.testClient.setNextBlockTimestamp({ timestamp: at })
    await send(morpho, accrue)
  }
  await devnet.testClient.setNextBlockTimestamp({ timestamp: end })
  const settle = encodeFunctionData({ ...onPool, functionName: 'settle', args: [positionId] })
  const settled = await send(interestRatePool, settle)
  const paid = eventsOf(settled, 'PositionSettled')[0]?.args.toBorrower ?? -1n
  const growth = floatingGrowth(rate, seconds)
  const { payout, difference, fixedCost } = compareWithFloating({ notional, vrtAmount }, growth)
  // Each accrual omits the terms of the series from x^4 / 24 on. It also rounds the interest of all debts down to a raw
  // unit, of which this notional's share is less than one.
  const x = rate * day
  const perAccrual = (notional * x ** 4n) / 23n / wad ** 4n + 1n
  const tolerance = (perAccrual * accruals * growth) / ray + 1n
  return { paid, payout, difference, fixedCost, tolerance, growth, seconds: BigInt(seconds) }
}

describe('a position held at a constant rate', () => {
  it.each([
    ['6.25 %', 625n],
    ['50 %', 5_000n],
  ])(
    'default: settled at the expiry, it pays what was promised, at %s APR',
    async (_apr, basisPoints) => {
      const rate = (basisPoints * wad) / 10_000n / BigInt(secondsPerYear)
      const { paid, payout, difference, fixedCost, tolerance } = await holdPosition(rate, 0n)
      const off = paid - payout
      expect({ off, within: off <= tolerance && -off <= tolerance }).toEqual({ off, within: true })
      // At most 0.001 tUSD.
      expect(tolerance).toBeLessThan(1_000n)
      expect(fixedCost - paid - difference).toBe(-off)
    },
    60_000,
  )

  it('behavior: settled a day late, it pays more, by less than the bow of the index above its chord', async () => {
    const rate = (625n * wad) / 10_000n / BigInt(secondsPerYear)
    const { paid, payout, tolerance, growth, seconds } = await holdPosition(rate, day)
    const bow = (notional * rate * rate * seconds * day * growth) / (2n * wad * wad * ray)
    expect(paid - payout).toBeGreaterThan(tolerance)
    expect(paid - payout).toBeLessThan((bow * 1_001n) / 1_000n + tolerance)
  }, 60_000)
})
