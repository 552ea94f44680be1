import { existsSync, readFileSync } from 'node:fs'
import type { Address } from 'viem'
import type { WebApp } from '../entry/http/webApp/webApp.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { openWebAppFolder } from './openWebAppFolder.ts'

/** What the page has to know of the settings; nothing by default. */
export type WebAppFacts = {
  /** Where the page finds the devnet's node, on this server. */
  'devnet-rpc'?: string
  /** The account that the page may use without a wallet. */
  'demo-account'?: Address
  /** Another one, which sends several calls as one. */
  'demo-smart-account'?: Address
  /** With it the page offers WalletConnect and Coinbase Wallet. */
  'walletconnect-project'?: string
  /** The block explorer, `https://…` without a slash at its end. */
  explorer?: string
}

/**
 * Opens the web client that the build has put into a folder and fills in its facts; null when it has not been built.
 *
 * @throws {ConfigurationError} when the page has no place for a fact.
 */
export function openWebApp(folder: URL, facts: WebAppFacts): WebApp | null {
  const file = new URL('index.html', folder)
  if (!existsSync(file)) return null
  let index = readFileSync(file, 'utf8')
  for (const [name, content] of Object.entries(facts)) {
    const place = `name="firmquote:${name}" content=""`
    if (!index.includes(place)) {
      throw new ConfigurationError(`The page has no <meta ${place}>; build it again with \`npm run build\`.`)
    }
    index = index.replace(place, `name="firmquote:${name}" content="${content}"`)
  }
  return { index, files: openWebAppFolder(folder), hasRemoteWallets: facts['walletconnect-project'] !== undefined }
}
