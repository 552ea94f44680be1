import type { CreateConnectorFn } from 'wagmi'
import { coinbaseWallet } from 'wagmi/connectors'

/**
 * wagmi's Coinbase Wallet connector. It opens Coinbase's own window. Telemetry is disabled because it loads a
 * third-party script.
 */
export function coinbaseWalletConnector(): CreateConnectorFn {
  return coinbaseWallet({ appName: 'Firmquote', preference: { options: 'all', telemetry: false } })
}
