import { createContext, useContext } from 'react'
import { type Address, isAddress } from 'viem'

/** Settings written into the web app's HTML by the server. */
export type WebAppSettings = {
  /** The service's URL, which is the web app's origin. */
  serviceUrl: string
  /**
   * The devnet's RPC endpoint on the app's own origin, and the accounts that its node signs for. Null on any other
   * chain.
   */
  devnet: {
    rpcUrl: string
    account: Address
    /** An account that supports atomic batches. */
    smartAccount: Address | null
  } | null
  /** WalletConnect project id. If the project id is set, the app offers WalletConnect and Coinbase Wallet. */
  walletConnectProject: string | null
  /** URL of the operator's block explorer, `https://…` without a trailing slash. */
  explorer: string | null
}

/** Reads the settings from the document's `meta` elements. `devnet` is null if its `meta` elements are empty. */
export function loadWebAppSettings(page: Document): WebAppSettings {
  const read = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="firmquote:${name}"]`)?.content ?? ''
  const [path, account, smartAccount] = [read('devnet-rpc'), read('demo-account'), read('demo-smart-account')]
  const serviceUrl = page.location.origin
  return {
    serviceUrl,
    devnet:
      path !== '' && isAddress(account)
        ? {
            rpcUrl: new URL(path, serviceUrl).href,
            account,
            smartAccount: isAddress(smartAccount) ? smartAccount : null,
          }
        : null,
    walletConnectProject: read('walletconnect-project') || null,
    explorer: read('explorer') || null,
  }
}

/** Provided by `App`. */
export const WebAppSettingsContext = createContext<WebAppSettings | null>(null)

/** Returns the settings from the server. Inside `App`, the settings are always available. */
export function useWebAppSettings(): WebAppSettings {
  const settings = useContext(WebAppSettingsContext)
  if (!settings) throw new Error('useWebAppSettings needs a WebAppSettingsContext provider above the component.')
  return settings
}
