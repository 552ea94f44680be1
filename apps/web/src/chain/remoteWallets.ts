// Why: docs/decisions/0056-wallets-on-other-devices.md
import type { CreateConnectorFn } from 'wagmi'
import { lastingStorage } from '../service/browserStorage.ts'
import type { WalletProject } from './walletProject.ts'

/**
 * A wallet reached through its vendor's servers. The wallet's code is loaded when the visitor chooses it.
 */
export type RemoteWallet = {
  /** The connector's id. */
  id: string
  name: 'walletConnect' | 'coinbaseWallet'
  load(project: WalletProject): Promise<CreateConnectorFn>
}

/** Remote wallets to offer if the operator has configured a project id. */
export const remoteWallets: readonly RemoteWallet[] = [
  {
    id: 'walletConnect',
    name: 'walletConnect',
    load: async (project) => (await import('./walletConnect.ts')).walletConnectConnector(project),
  },
  {
    id: 'coinbaseWalletSDK',
    name: 'coinbaseWallet',
    load: async () => (await import('./coinbaseWallet.ts')).coinbaseWalletConnector(),
  },
]

/**
 * Loads the connector for the wallet used on the last visit, if remote, so that wagmi can reconnect to it.
 */
export async function loadRememberedWallet(project: WalletProject): Promise<CreateConnectorFn[]> {
  const remembered = remoteWallets.find(({ id }) => lastingStorage.getItem('wagmi.recentConnectorId') === `"${id}"`)
  try {
    return remembered ? [await remembered.load(project)] : []
  } catch {
    // Ignored. If loading fails, the error appears when the visitor chooses the wallet again.
    return []
  }
}
