/** A wallet app of a phone, with a browser in it. */
export type WalletApp = { name: 'metaMask' | 'coinbaseWallet' | 'rainbow' | 'trustWallet'; href: string }

/**
 * Links that open a page in the browser of a wallet app, as each of them documents it. Pure.
 *
 * @param pageUrl an http or https address. The makers of the apps see it: it must not hold the id of an auction.
 */
export function walletAppsFor(pageUrl: string): WalletApp[] {
  const { host, pathname } = new URL(pageUrl)
  const url = encodeURIComponent(pageUrl)
  return [
    { name: 'metaMask', href: `https://metamask.app.link/dapp/${host}${pathname}` },
    { name: 'coinbaseWallet', href: `https://go.cb-w.com/dapp?cb_url=${url}` },
    { name: 'rainbow', href: `rainbow://dapp?url=${url}` },
    { name: 'trustWallet', href: `https://link.trustwallet.com/open_url?coin_id=60&url=${url}` },
  ]
}
