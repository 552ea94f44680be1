import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import { ConfigurationError } from '../../ports/errors.ts'
import { checkDevnetNode } from './checkDevnetNode.ts'
import { createRpcClient } from './viemChain.ts'

let node: RpcProxy

useDevnet()
beforeEach(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
})
afterEach(() => node.close())

async function check(demoAccount: Address | null = null): Promise<string> {
  try {
    await checkDevnetNode(createRpcClient({ rpcUrl: node.url, timeoutMs: 1_000 }), {
      DEMO_ACCOUNT: null,
      DEMO_SMART_ACCOUNT: demoAccount,
    })
    return 'fine'
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.shortMessage
  }
}

describe('checkDevnetNode', () => {
  test('default', async () => {
    expect(await check()).toBe('fine')
    expect(await check(devnet.borrowers[0].address)).toBe('fine')
  })

  test.each(['Geth/v1.16.4-stable/linux-amd64/go1.24', 'reth/v1.8.2/x86_64', ' anvil/v1.7.1', 'erigon/anvil/'])(
    'error: a node that calls itself %s',
    async (name) => {
      node.interfere = ({ method }) => (method === 'web3_clientVersion' ? { result: name } : undefined)
      expect(await check()).toBe(
        `DEVNET_RELAY requires a devnet: the node at RPC_URL must be anvil, but reports "${name}"; unset DEVNET_RELAY, or set RPC_URL to a devnet.`,
      )
    },
  )

  test('error: a node that does not report its version', async () => {
    node.interfere = () => ({ error: { code: -32601, message: 'no such method' } })
    expect(await check()).toMatch(/^The node at RPC_URL failed to answer \(no such method\)/)
    node.interfere = () => ({ result: null })
    expect(await check()).toMatch(/must be anvil, but reports null/)
  })

  test('error: an account that the devnet does not sign for', async () => {
    const other = '0x00000000000000000000000000000000000000aA'
    expect(await check(other)).toBe(
      `The devnet does not sign for ${other}; set DEMO_SMART_ACCOUNT to one of the accounts of its eth_accounts.`,
    )
  })
})
