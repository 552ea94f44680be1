import { concatHex, encodeFunctionData } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { create2Deployer, create2Salt, deployments, devnetAddresses } from './devnetAddresses.ts'
import { devnetMarkets, seriesCap } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { morphoAbi } from './generated/morpho.ts'
import type { DevnetTransaction } from './sendTransactions.ts'

/** The transactions that put every contract in its place. */
export function deployTransactions(): DevnetTransaction[] {
  return Object.values(deployments).map(({ initCode }) => ({
    from: deployer.address,
    to: create2Deployer,
    data: concatHex([create2Salt, initCode]),
  }))
}

/** The transactions that open the Morpho markets, and a pool with its series on each. `expiries` in Unix seconds. */
export function openMarketTransactions(expiries: readonly number[]): DevnetTransaction[] {
  const { morpho, interestRatePool, loanToken, morphoAdapter, quoteMarket } = devnetAddresses
  const from = deployer.address
  const toMorpho = (data: DevnetTransaction['data']) => ({ from, to: morpho, data })
  const toPool = (data: DevnetTransaction['data']) => ({ from, to: interestRatePool, data })
  const [{ params }] = devnetMarkets
  return [
    toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'enableIrm', args: [params.irm] })),
    toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'enableLltv', args: [params.lltv] })),
    toPool(encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'setQuoteMarket', args: [quoteMarket] })),
    ...devnetMarkets.flatMap((entry) => [
      toMorpho(encodeFunctionData({ abi: morphoAbi, functionName: 'createMarket', args: [entry.params] })),
      toPool(
        encodeFunctionData({
          abi: interestRatePoolAbi,
          functionName: 'createPool',
          args: [loanToken, morphoAdapter, entry.market],
        }),
      ),
      ...expiries.map((expiry) =>
        toPool(
          encodeFunctionData({
            abi: interestRatePoolAbi,
            functionName: 'createSeries',
            args: [entry.poolId, BigInt(expiry), seriesCap],
          }),
        ),
      ),
    ]),
  ]
}
