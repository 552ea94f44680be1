import { existsSync, readFileSync } from 'node:fs'
import type { Address } from 'viem'
import type { WebApp } from '../entry/http/webApp/webApp.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { openWebAppFolder } from './openWebAppFolder.ts'

/** Settings for the web app, all optional. */
export type WebAppFacts = {
  /** Path on this server under which requests to the devnet node are relayed. */
  'devnet-rpc'?: string
  /** Account that works without a wallet. */
  'demo-account'?: Address
  /** Account that works without a wallet and sends batched calls. */
  'demo-smart-account'?: Address
  /** WalletConnect project ID. Enables WalletConnect and Coinbase Wallet. */
  'walletconnect-project'?: string
  /** URL of the block explorer, `https://…` without a trailing slash. */
  explorer?: string
}

/**
 * Opens the built web app in a folder and fills in its settings. Returns null if the web app has not been built.
 *
 * @throws {ConfigurationError} if the web app has no placeholder for a setting.
 */
export function openWebApp(folder: URL, facts: WebAppFacts): WebApp | null {
  const file = new URL('index.html', folder)
  if (!existsSync(file)) return null
  let index = readFileSync(file, 'utf8')
  for (const [name, content] of Object.entries(facts)) {
    const place = `name="firmquote:${name}" content=""`
    if (!index.includes(place)) {
      throw new ConfigurationError(`The web app has no <meta ${place}>; rebuild it with \`npm run build\`.`)
    }
    index = index.replace(place, `name="firmquote:${name}" content="${content}"`)
  }
  return { index, files: openWebAppFolder(folder), hasRemoteWallets: facts['walletconnect-project'] !== undefined }
}
