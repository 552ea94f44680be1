// Why: docs/decisions/0056-wallets-on-other-devices.md
import type { CreateConnectorFn } from 'wagmi'
import { lastingStorage } from '../service/browserStorage.ts'
import type { WalletProject } from './walletProject.ts'

/** A wallet reached through its maker's servers. Its code is loaded when it is chosen. */
export type RemoteWallet = {
  /** The connector's id. */
  id: string
  name: 'walletConnect' | 'coinbaseWallet'
  load(project: WalletProject): Promise<CreateConnectorFn>
}

/** Offered if the operator has set a project id. */
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

/** The connector of the wallet from the last visit if it is remote, so that wagmi can reconnect it. */
export async function loadRememberedWallet(project: WalletProject): Promise<CreateConnectorFn[]> {
  const remembered = remoteWallets.find(({ id }) => lastingStorage.getItem('wagmi.recentConnectorId') === `"${id}"`)
  try {
    return remembered ? [await remembered.load(project)] : []
  } catch {
    // The visitor can choose it again, which shows the error.
    return []
  }
}
