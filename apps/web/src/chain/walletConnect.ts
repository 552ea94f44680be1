import type { CreateConnectorFn } from 'wagmi'
import { walletConnect } from 'wagmi/connectors'
import type { WalletProject } from './walletProject.ts'

/**
 * wagmi's connector of WalletConnect, without its own window, which would need styles and pictures of other servers. The address
 * that a wallet app scans or opens comes as its message `display_uri`.
 */
export function walletConnectConnector({ projectId, about }: WalletProject): CreateConnectorFn {
  const create = walletConnect({
    projectId,
    showQrModal: false,
    telemetryEnabled: false,
    metadata: {
      name: 'Firmquote',
      description: about,
      url: location.origin,
      icons: [`${location.origin}/icon-192.png`],
    },
  })
  return (config) => {
    // Without a node in the chain's description it reads through its own, which the page's policy allows.
    const [first, ...more] = config.chains
    const withoutNode = <chain extends typeof first>(chain: chain) => ({ ...chain, rpcUrls: { default: { http: [] } } })
    return create({ ...config, chains: [withoutNode(first), ...more.map(withoutNode)] })
  }
}
