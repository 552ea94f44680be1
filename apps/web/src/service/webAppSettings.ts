import { createContext, useContext } from 'react'
import { type Address, isAddress } from 'viem'

/** Settings that the server writes into the web app's HTML. */
export type WebAppSettings = {
  /** The service's URL: the web app's origin. */
  serviceUrl: string
  /** Only on a devnet: its RPC on the app's own origin, and accounts that the node signs for. */
  devnet: {
    rpcUrl: string
    account: Address
    /** Sends several calls as one. */
    smartAccount: Address | null
  } | null
  /** WalletConnect project id, which enables WalletConnect and Coinbase Wallet. */
  walletConnectProject: string | null
  /** The operator's block explorer, `https://…` without a trailing slash. */
  explorer: string | null
}

/** Reads the document's `meta` elements. Without the devnet's elements there is no demo account. */
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

/** The settings from the server; always defined inside `App`. */
export function useWebAppSettings(): WebAppSettings {
  const settings = useContext(WebAppSettingsContext)
  if (!settings) throw new Error('useWebAppSettings needs a WebAppSettingsContext provider above the component.')
  return settings
}
