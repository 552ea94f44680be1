import { formatTimestamp } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { commands } from './commands.ts'
import type { RunningMarketMaker } from './startMarketMaker.ts'

/** Facts about the running demo. */
export type DemoFacts = {
  url: string
  devnet: Devnet
  makers: readonly Pick<RunningMarketMaker, 'socketPath'>[]
  /** Additional text for a cluster. */
  more?: string
}

/**
 * Returns the output shown after startup: the `ready` line and commands to try. Paths are relative to the current
 * folder.
 */
export function nextCommands({ url, devnet: { rpcUrl, pools, newcomers }, makers, more = '' }: DemoFacts): string {
  const [pool] = pools
  const series = pool.series[2] ?? pool.series[0]
  const request = JSON.stringify({ poolId: pool.poolId, expiry: series?.expiry, notional: '250000000000' })
  const until = formatTimestamp(series?.expiry ?? 0)
  const { firmquote, borrow } = commands
  return `ready ${url}

Open this address, connect the "Demo account", and fix the rate of a debt, now or in an auction. With the "Demo smart account",
one confirmation is enough.
List the pools with their floating rates, series and depth, and the quotes that market makers have published:
  curl -s ${url}/api/v1/pools/rates
  curl -s ${url}/api/v1/quotes
Request a fixed rate on 250,000 ${tokenSymbol} until ${until}, and watch quotes arrive for 15 seconds:
  curl -N -X POST ${url}/api/v1/rfq/quote/stream -H 'content-type: application/json' -d '${request}'
Get the result in one response, list recent quotes, and check the service's health:
  curl -s -X POST ${url}/api/v1/rfq/quote -H 'content-type: application/json' -d '${request}'
  curl -s ${url}/api/v1/rfq/quotes/recent
  curl -s ${url}/api/v1/health
Explore the whole API in a browser:
  ${url}/docs
Run the same auction in the CLI. It ranks the quotes, checks them on-chain (${rpcUrl}) and takes the best for a borrower
that has not granted any approvals yet. The key is publicly known:
  ${firmquote} pools --url ${url}
  FIRMQUOTE_PRIVATE_KEY=${newcomers[2].privateKey} ${firmquote} rfq --url ${url} --rpc ${rpcUrl} --pool ${pool.poolId} --expiry ${series?.expiry} --notional 250k --max-apr 12 --take --approve
Do the same in code. This program runs an auction with the SDK, checks the best quote, approves its cost and takes it:
  ${borrow} ${url} ${rpcUrl} ${pool.poolId} ${series?.expiry}
Control the market makers. \`getPolicy\`, \`pause\`, \`resume\` and \`listQuotes\` work like \`status\`:
${makers.map(({ socketPath }) => `  ${firmquote} daemon status --socket ${socketPath}\n`).join('')}${more}Ctrl-C stops everything.
`
}

/** The loan token of the devnet's pools. */
const tokenSymbol = 'tUSD'
