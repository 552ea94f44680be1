import { expect, test } from '@jest/globals'
import * as adapters from './adapters.ts'
import { constantName } from './constantName.ts'
import {
  BUNDLER3_ADDRESS,
  type Deployment,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from './index.ts'

test('default', () => {
  // Also type-checks that the generated value is a Deployment.
  const deployment: Deployment = PRODUCTION_DEPLOYMENT
  expect(deployment).toMatchObject({
    chainId: 8453,
    name: 'Base',
    deployBlock: INTEREST_RATE_POOL_DEPLOY_BLOCK,
    contracts: {
      interestRatePool: INTEREST_RATE_POOL_ADDRESS,
      bundler3: BUNDLER3_ADDRESS,
      quoteMarket: QUOTE_MARKET_ADDRESS,
      keeperBundler: KEEPER_BUNDLER_ADDRESS,
    },
  })
})

test("behavior: Bundler3 and its adapters are Morpho's on Base", () => {
  expect(BUNDLER3_ADDRESS).toBe('0x6BFd8137e702540E7A42B74178A4a49Ba43920C4')
  expect(adapters.GENERAL_ADAPTER1_ADDRESS).toBe('0xb98c948CFA24072e58935BC004a8A7b376AE746A')
})

test('behavior: there is one constant for each adapter of the deployment', () => {
  const expected = Object.entries(PRODUCTION_DEPLOYMENT.adapters).map(([name, value]) => [constantName(name), value])
  expect({ ...adapters }).toEqual(Object.fromEntries(expected))
})
