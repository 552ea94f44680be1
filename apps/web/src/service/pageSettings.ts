import { type Address, isAddress } from 'viem'

/** What the server has written into the page. */
export type PageSettings = {
  /** Where this service lives: the origin of the page. */
  serviceUrl: string
  /** On a devnet only: its chain, behind the page's own origin, and an account that the chain itself signs for. */
  devnet: { rpcUrl: string; account: Address } | null
}

/** Reads the page's `meta` elements. Without those of a devnet there is no demo account. */
export function loadPageSettings(page: Document): PageSettings {
  const read = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="firmquote:${name}"]`)?.content ?? ''
  const [path, account] = [read('devnet-rpc'), read('demo-account')]
  const serviceUrl = page.location.origin
  return {
    serviceUrl,
    devnet: path !== '' && isAddress(account) ? { rpcUrl: new URL(path, serviceUrl).href, account } : null,
  }
}
