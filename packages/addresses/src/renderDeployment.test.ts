import { expect, test } from '@jest/globals'
import { constantName, deploymentName } from './constantName.ts'
import type { Deployment } from './deployment.ts'
import { renderDeployment } from './renderDeployment.ts'

const deployment: Deployment = {
  chainId: 10,
  name: 'OP "Mainnet"',
  deployBlock: 123,
  contracts: {
    interestRatePool: '0x1111111111111111111111111111111111111111',
    bundler3: '0x2222222222222222222222222222222222222222',
    quoteMarket: '0x3333333333333333333333333333333333333333',
    keeperBundler: '0x4444444444444444444444444444444444444444',
  },
  adapters: { generalAdapter1: '0x5555555555555555555555555555555555555555' },
}

test('default', () => {
  expect(renderDeployment(deployment, { origin: '10.json', name: 'DEPLOYMENT_10' })).toEqual([
    {
      name: 'deployment.ts',
      text: `// Generated from 10.json by @firmquote/addresses. Do not edit. Change that file and regenerate.

/** interestRatePool on chain 10. */
export const INTEREST_RATE_POOL_ADDRESS = "0x1111111111111111111111111111111111111111"

/** bundler3 on chain 10. */
export const BUNDLER3_ADDRESS = "0x2222222222222222222222222222222222222222"

/** quoteMarket on chain 10. */
export const QUOTE_MARKET_ADDRESS = "0x3333333333333333333333333333333333333333"

/** keeperBundler on chain 10. */
export const KEEPER_BUNDLER_ADDRESS = "0x4444444444444444444444444444444444444444"

/** The block in which the interest-rate pool was deployed, from which to scan for its events. */
export const INTEREST_RATE_POOL_DEPLOY_BLOCK = 123

/** The deployment on chain 10 as one object. */
export const DEPLOYMENT_10 = {
  "chainId": 10,
  "name": "OP \\"Mainnet\\"",
  "deployBlock": 123,
  "contracts": {
    "interestRatePool": "0x1111111111111111111111111111111111111111",
    "bundler3": "0x2222222222222222222222222222222222222222",
    "quoteMarket": "0x3333333333333333333333333333333333333333",
    "keeperBundler": "0x4444444444444444444444444444444444444444"
  },
  "adapters": {
    "generalAdapter1": "0x5555555555555555555555555555555555555555"
  }
} as const
`,
    },
    {
      name: 'adapters.ts',
      text: `// Generated from 10.json by @firmquote/addresses. Do not edit. Change that file and regenerate.

/** generalAdapter1 on chain 10. */
export const GENERAL_ADAPTER1_ADDRESS = "0x5555555555555555555555555555555555555555"
`,
    },
  ])
})

test('behavior: a deployment without adapters still generates a module', () => {
  const [, adapters] = renderDeployment({ ...deployment, adapters: {} }, { origin: '10.json', name: 'DEPLOYMENT_10' })
  expect(adapters?.text.endsWith('\n\nexport {}\n')).toBe(true)
})

test('behavior: names of constants', () => {
  expect(['bundler3', 'morphoBlueAdapter', 'erc20WrapperAdapter', 'aaveV3MigrationAdapter'].map(constantName)).toEqual([
    'BUNDLER3_ADDRESS',
    'MORPHO_BLUE_ADAPTER_ADDRESS',
    'ERC20_WRAPPER_ADAPTER_ADDRESS',
    'AAVE_V3_MIGRATION_ADAPTER_ADDRESS',
  ])
  expect(['my-deployment', 'opMainnet', '10', 'über.2'].map(deploymentName)).toEqual([
    'MY_DEPLOYMENT',
    'OP_MAINNET',
    'DEPLOYMENT_10',
    'DEPLOYMENT__BER_2',
  ])
})
