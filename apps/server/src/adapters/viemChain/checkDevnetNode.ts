import { type Address, type Client, isAddressEqual } from 'viem'
import { ConfigurationError } from '../../ports/errors.ts'
import { askNode } from './checkDeployment.ts'

/** Prefix of a development node's client version. Nodes on real chains report other client names. */
const devnetName = 'anvil/'

/**
 * Checks that a node is a devnet with public accounts before relaying browsers' requests to it.
 *
 * @param accounts the accounts, keyed by the settings that name them.
 * @throws {ConfigurationError} with one sentence that says what to change.
 */
export async function checkDevnetNode(
  client: Client,
  accounts: Readonly<Record<string, Address | null>> = {},
): Promise<void> {
  const name: unknown = await askNode(() => client.request({ method: 'web3_clientVersion' }))
  if (typeof name !== 'string' || !name.startsWith(devnetName)) {
    throw new ConfigurationError(
      `DEVNET_RELAY requires a devnet: the node at RPC_URL must be anvil, but reports ${JSON.stringify(name).slice(0, 60)}; unset DEVNET_RELAY, or set RPC_URL to a devnet.`,
    )
  }
  for (const [setting, account] of Object.entries(accounts)) {
    if (account === null) continue
    const unlocked = await askNode(() => client.request({ method: 'eth_accounts' }))
    if (unlocked.some((known) => isAddressEqual(known, account))) continue
    throw new ConfigurationError(
      `The devnet does not sign for ${account}; set ${setting} to one of the accounts of its eth_accounts.`,
    )
  }
}
