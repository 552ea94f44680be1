import { concatHex, encodeFunctionData } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { create2Deployer, create2Salt, deployments, devnetAddresses } from './devnetAddresses.ts'
import { devnetMarkets, seriesCap } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { morphoAbi } from './generated/morpho.ts'
import type { DevnetTransaction } from './sendTransactions.ts'

const { morpho, interestRatePool, loanToken, morphoAdapter, quoteMarket } = devnetAddresses

/** Returns the transactions that deploy all contracts. */
export function deployTransactions(): DevnetTransaction[] {
  return Object.values(deployments).map(({ initCode }) => ({
    from: deployer.address,
    to: create2Deployer,
    data: concatHex([create2Salt, initCode]),
  }))
}

/** Returns the transactions that create the Morpho markets. */
export function createMarketTransactions(): DevnetTransaction[] {
  const [{ params }] = devnetMarkets
  return [
    toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'enableIrm', args: [params.irm] })),
    toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'enableLltv', args: [params.lltv] })),
    ...devnetMarkets.map((entry) =>
      toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'createMarket', args: [entry.params] })),
    ),
  ]
}

/** Returns the transactions that create a pool with its series for each market. `expiries` are in Unix seconds. */
export function openPoolTransactions(expiries: readonly number[]): DevnetTransaction[] {
  return [
    toPool(encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'setQuoteMarket', args: [quoteMarket] })),
    ...devnetMarkets.flatMap(({ poolId, market }) => [
      toPool(
        encodeFunctionData({
          abi: interestRatePoolAbi,
          functionName: 'createPool',
          args: [loanToken, morphoAdapter, market],
        }),
      ),
      ...expiries.map((expiry) =>
        toPool(
          encodeFunctionData({
            abi: interestRatePoolAbi,
            functionName: 'createSeries',
            args: [poolId, BigInt(expiry), seriesCap],
          }),
        ),
      ),
    ]),
  ]
}

function toMorpho(data: DevnetTransaction['data']): DevnetTransaction {
  return { from: deployer.address, to: morpho, data }
}

function toPool(data: DevnetTransaction['data']): DevnetTransaction {
  return { from: deployer.address, to: interestRatePool, data }
}
