// Why: docs/decisions/0056-wallets-on-other-devices.md
import type { CreateConnectorFn } from 'wagmi'
import { lastingStorage } from '../service/browserStorage.ts'
import type { WalletProject } from './walletProject.ts'

/** A wallet that is reached over its maker's servers. What it needs is loaded when it is chosen. */
export type RemoteWallet = {
  /** As its connector has it. */
  id: string
  name: 'walletConnect' | 'coinbaseWallet'
  load(project: WalletProject): Promise<CreateConnectorFn>
}

/** What the page offers once the operator has a project id. */
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

/** The connector of the wallet that was connected at the last visit, if it is one of these; so wagmi finds it again. */
export async function loadRememberedWallet(project: WalletProject): Promise<CreateConnectorFn[]> {
  const remembered = remoteWallets.find(({ id }) => lastingStorage.getItem('wagmi.recentConnectorId') === `"${id}"`)
  try {
    return remembered ? [await remembered.load(project)] : []
  } catch {
    // It can be chosen again, which says what is wrong.
    return []
  }
}
