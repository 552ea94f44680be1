import type { CreateConnectorFn } from 'wagmi'
import { walletConnect } from 'wagmi/connectors'
import type { WalletProject } from './walletProject.ts'

/**
 * Creates wagmi's WalletConnect connector without its modal, which would load third-party styles and images. The
 * pairing code for the wallet app arrives in the connector's `display_uri` message.
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
    // Without an RPC URL, WalletConnect reads through its own servers, which the Content-Security-Policy allows.
    const [first, ...more] = config.chains
    const withoutNode = <chain extends typeof first>(chain: chain) => ({ ...chain, rpcUrls: { default: { http: [] } } })
    return create({ ...config, chains: [withoutNode(first), ...more.map(withoutNode)] })
  }
}
