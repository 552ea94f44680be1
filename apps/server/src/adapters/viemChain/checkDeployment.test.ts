import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { ConfigurationError } from '../../ports/errors.ts'
import { checkDeployment, type ExpectedContracts } from './checkDeployment.ts'
import { createRpcClient } from './viemChain.ts'

const nowhere: Address = '0x00000000000000000000000000000000000000aA'

useDevnet()

async function check(change: Partial<ExpectedContracts> = {}, rpcUrl = devnet.rpcUrl): Promise<string> {
  const { interestRatePool, bundler3, keeperBundler } = devnet.contracts
  const deployment = { domain: domainOf(devnet), interestRatePool, bundler3, keeperBundler, ...change }
  try {
    await checkDeployment(createRpcClient({ rpcUrl, timeoutMs: 1_000 }), deployment)
    return 'fine'
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.shortMessage
  }
}

describe('checkDeployment', () => {
  test('default', async () => {
    expect(await check()).toBe('fine')
  })

  test('error: another chain', async () => {
    expect(await check({ domain: { ...domainOf(devnet), chainId: 1 } })).toBe(
      'The node at RPC_URL is on chain 8453, not 1; set RPC_URL to a node of chain 1, or CHAIN_ID to 8453.',
    )
  })

  test.each([
    ['QUOTE_MARKET', 'quoteMarket', { domain: { chainId: 8453, quoteMarket: nowhere } }],
    ['INTEREST_RATE_POOL', 'interestRatePool', { interestRatePool: nowhere }],
    ['BUNDLER3', 'bundler3', { bundler3: nowhere }],
    ['KEEPER_BUNDLER', 'keeperBundler', { keeperBundler: nowhere }],
  ] as const)('error: no code at %s', async (setting, field, change) => {
    const text = await check(change)
    expect(text).toContain(
      `There is no contract at ${nowhere} on chain 8453; set ${setting}, or correct contracts.${field}`,
    )
    expect(text).toContain(
      'packages/addresses/deployments/8453.json and run `pnpm --filter @firmquote/addresses generate`',
    )
    expect(text).toContain('npx @firmquote/devnet')
  })

  test('error: a contract that is not a quote market', async () => {
    const domain = { ...domainOf(devnet), quoteMarket: devnet.contracts.keeperBundler }
    expect(await check({ domain })).toMatch(/is not a quote market.*set QUOTE_MARKET/)
  })

  test('error: a pool to which the market does not belong', async () => {
    expect(await check({ interestRatePool: devnet.contracts.morpho })).toContain(
      `belongs to the pool ${devnet.contracts.interestRatePool}, not to ${devnet.contracts.morpho}; set INTEREST_RATE_POOL`,
    )
  })

  test('error: no Multicall3', async () => {
    const code = await devnet.publicClient.getCode({ address: devnet.contracts.multicall3 })
    await devnet.testClient.setCode({ address: devnet.contracts.multicall3, bytecode: '0x' })
    expect(await check()).toContain('has no Multicall3')
    await devnet.testClient.setCode({ address: devnet.contracts.multicall3, bytecode: code ?? '0x' })
  })

  test('error: no node, without revealing its address', async () => {
    const text = await check({}, 'http://127.0.0.1:1/v2/secret-key')
    expect(text).toMatch(/^The node at RPC_URL failed to answer \(.*\); check RPC_URL\.$/)
    expect(text).not.toContain('secret-key')
  })
})
