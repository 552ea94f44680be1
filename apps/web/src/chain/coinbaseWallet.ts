import type { CreateConnectorFn } from 'wagmi'
import { coinbaseWallet } from 'wagmi/connectors'

/** wagmi's connector of Coinbase Wallet. It opens a window of its maker; its telemetry would be a script of another server. */
export function coinbaseWalletConnector(): CreateConnectorFn {
  return coinbaseWallet({ appName: 'Firmquote', preference: { options: 'all', telemetry: false } })
}
