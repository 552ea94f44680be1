import { bundler3Abi } from './bundler3.ts'
import { bundlerAdapterAbi } from './bundlerAdapter.ts'
import { interestRatePoolAbi } from './interestRatePool.ts'
import { keeperBundlerAbi } from './keeperBundler.ts'
import { quoteMarketAbi } from './quoteMarket.ts'
import { rateAdapterAbi } from './rateAdapter.ts'

/** The contracts' ABIs, keyed by file name in `docs/abi`. */
export const abis = {
  quoteMarket: quoteMarketAbi,
  interestRatePool: interestRatePoolAbi,
  rateAdapter: rateAdapterAbi,
  keeperBundler: keeperBundlerAbi,
  bundlerAdapter: bundlerAdapterAbi,
  bundler3: bundler3Abi,
}
