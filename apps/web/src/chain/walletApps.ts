/** A mobile wallet app with a built-in browser. */
export type WalletApp = { name: 'metaMask' | 'coinbaseWallet' | 'rainbow' | 'trustWallet'; href: string }

/**
 * Returns links that open a page in wallet apps' browsers, in each app's documented format. Pure.
 *
 * @param pageUrl An http or https URL. The apps' vendors see it, so it must not contain an auction's id.
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
