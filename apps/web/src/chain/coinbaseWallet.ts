import type { CreateConnectorFn } from 'wagmi'
import { coinbaseWallet } from 'wagmi/connectors'

/**
 * wagmi's Coinbase Wallet connector. It opens its maker's window. Telemetry is off, since it loads a third-party
 * script.
 */
export function coinbaseWalletConnector(): CreateConnectorFn {
  return coinbaseWallet({ appName: 'Firmquote', preference: { options: 'all', telemetry: false } })
}
