import { createContext, useContext } from 'react'
import { type Address, isAddress } from 'viem'

/** What the server has written into the page. */
export type PageSettings = {
  /** Where this service lives: the origin of the page. */
  serviceUrl: string
  /** On a devnet only: its chain, behind the page's own origin, and accounts that the chain itself signs for. */
  devnet: {
    rpcUrl: string
    account: Address
    /** Sends several calls as one. */
    smartAccount: Address | null
  } | null
  /** The project id with which WalletConnect and Coinbase Wallet are offered. */
  walletConnectProject: string | null
  /** The operator's block explorer, `https://…` without a slash at its end. */
  explorer: string | null
}

/** Reads the page's `meta` elements. Without those of a devnet there is no demo account. */
export function loadPageSettings(page: Document): PageSettings {
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

/** Set by `App`. */
export const PageSettingsContext = createContext<PageSettings | null>(null)

/** What the server has written into the page; inside `App` there always is something. */
export function usePageSettings(): PageSettings {
  const settings = useContext(PageSettingsContext)
  if (!settings) throw new Error('There is no PageSettingsContext above this component.')
  return settings
}
