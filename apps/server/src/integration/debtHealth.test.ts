import { endpoints } from '@firmquote/core/endpoints'
import { decodeOrThrow } from '@firmquote/core/wire'
import { devnetAddresses, morphoAbi } from '@firmquote/devnet'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, parseUnits } from 'viem'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'

let server: RealServer

useDevnet(async () => {
  server = await startRealServer(devnet)
  return () => server.close()
})

// Earlier tests may have changed the price.
beforeEach(() => devnet.setPrice(devnet.pools[0].market, '3000'))

const wad = parseUnits('1', 18)
/** Returns a tWETH price in tUSD, as an oracle reports it. */
const ethPrice = (usd: string) => parseUnits(usd, 24)

async function readDebts(account: Address) {
  await server.service.sync.cycle()
  const answer = await fetch(`${server.api}/positions/all?address=${account}`)
  expect(answer.status).toBe(200)
  return decodeOrThrow(endpoints.getPositions.answers[200].shape, await answer.json(), 'positions').debts
}

async function ethDebt() {
  const [debt] = await readDebts(devnet.borrowers[0].address)
  if (debt?.collateral === undefined || debt.healthFactor === undefined || debt.liquidationPrice === undefined) {
    throw new TypeError('The debt has no health.')
  }
  return { ...debt, collateral: debt.collateral, healthFactor: debt.healthFactor, lowest: debt.liquidationPrice }
}

/**
 * Whether the real Morpho Blue would liquidate one raw unit of the debt's collateral, according to a simulated call.
 */
async function isLiquidated(market: Hex): Promise<boolean> {
  const { publicClient, borrowers, backers } = devnet
  const morpho = devnetAddresses.morpho
  const [loanToken, collateralToken, oracle, irm, lltv] = await publicClient.readContract({
    address: morpho,
    abi: morphoAbi,
    functionName: 'idToMarketParams',
    args: [market],
  })
  return publicClient
    .simulateContract({
      account: backers[0].address,
      address: morpho,
      abi: morphoAbi,
      functionName: 'liquidate',
      args: [{ loanToken, collateralToken, oracle, irm, lltv }, borrowers[0].address, 1n, 0n, '0x'],
    })
    .then(
      () => true,
      (error: unknown) => {
        if (String(error).includes('position is healthy')) return false
        // The liquidation check passes, and the call fails only because the liquidator has no allowance for the
        // repayment.
        if (String(error).includes('transferFrom')) return true
        throw error
      },
    )
}

describe('the health of a debt on Morpho Blue', () => {
  test('default: collateral, price and both figures match values computed by hand', async () => {
    const debts = await readDebts(devnet.borrowers[0].address)
    expect(debts.map(({ collateral }) => collateral?.amount)).toEqual([parseUnits('2000', 18), parseUnits('50', 8)])
    expect(debts.map(({ lltv }) => lltv)).toEqual([parseUnits('0.86', 18), parseUnits('0.86', 18)])
    // Raw units: tUSD has 6 decimals, tWETH 18 and tBTC 8.
    expect(debts.map(({ oraclePrice }) => oraclePrice)).toEqual([parseUnits('3000', 24), parseUnits('90000', 34)])
    const { debt, healthFactor, lowest } = await ethDebt()
    // 2,000 tWETH x 3,000 x 0.86 = 5,160,000 tUSD of borrowing capacity.
    expect(healthFactor).toBe((parseUnits('5160000', 6) * wad) / debt)
    // 3,000,000 tUSD plus a few seconds of interest: 3,000,000 / 0.86 / 2,000 = 1,744.19 tUSD.
    expect(healthFactor).toBeGreaterThan(parseUnits('1.7199', 18))
    expect(healthFactor).toBeLessThanOrEqual(parseUnits('1.72', 18))
    expect(lowest).toBeGreaterThanOrEqual(ethPrice('1744.186'))
    expect(lowest).toBeLessThan(ethPrice('1744.26'))
  })

  test('behavior: the price falls until Morpho Blue liquidates', async () => {
    const { market } = devnet.pools[0]
    await devnet.setPrice(market, '2000')
    const fallen = await ethDebt()
    expect(fallen.oraclePrice).toBe(ethPrice('2000'))
    // 2,000 x 2,000 x 0.86 = 3,440,000.
    expect(fallen.healthFactor).toBe((parseUnits('3440000', 6) * wad) / fallen.debt)
    expect(await isLiquidated(market)).toBe(false)

    // The debt is so close to liquidation that a minute's interest is enough.
    await devnet.setPrice(market, decimalOf(fallen.lowest + ethPrice('0.001')))
    const near = await ethDebt()
    expect(near.healthFactor).toBeGreaterThanOrEqual(wad)
    expect(near.healthFactor).toBeLessThan(wad + parseUnits('0.000001', 18))
    expect(near.oraclePrice).toBeGreaterThanOrEqual(near.lowest)
    expect(await isLiquidated(market)).toBe(false)
    await devnet.testClient.increaseTime({ seconds: 3_600 })
    await devnet.testClient.mine({ blocks: 1 })
    const over = await ethDebt()
    expect(over.healthFactor).toBeLessThan(wad)
    expect(over.oraclePrice).toBeLessThan(over.lowest)
    expect(await isLiquidated(market)).toBe(true)
  })

  test('error: a failing oracle removes the figures that depend on it, and an unknown market removes all figures', async () => {
    const { params } = await marketOf(devnet.pools[0].market)
    const code = await devnet.publicClient.getCode({ address: params.oracle })
    await devnet.testClient.setCode({ address: params.oracle, bytecode: '0xfe' })
    await devnet.testClient.mine({ blocks: 1 })
    const [silent, other] = await readDebts(devnet.borrowers[0].address)
    expect(silent?.collateral?.amount).toBe(parseUnits('2000', 18))
    expect(silent?.liquidationPrice).toBeGreaterThan(0n)
    expect([silent?.oraclePrice, silent?.healthFactor]).toEqual([undefined, undefined])
    expect(other?.healthFactor).toBeGreaterThan(wad)
    await devnet.testClient.setCode({ address: params.oracle, bytecode: code ?? '0x' })
  })
})

async function marketOf(market: Hex) {
  const [, , oracle] = await devnet.publicClient.readContract({
    address: devnetAddresses.morpho,
    abi: morphoAbi,
    functionName: 'idToMarketParams',
    args: [market],
  })
  return { params: { oracle } }
}

function decimalOf(price: bigint): string {
  const digits = price.toString().padStart(25, '0')
  return `${digits.slice(0, -24)}.${digits.slice(-24)}`
}
