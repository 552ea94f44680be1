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

/** Final output of a start: the line `ready`, and commands to try. Paths are relative to the current folder. */
export function nextCommands({ url, devnet: { rpcUrl, pools, newcomers }, makers, more = '' }: DemoFacts): string {
  const [pool] = pools
  const series = pool.series[2] ?? pool.series[0]
  const request = JSON.stringify({ poolId: pool.poolId, expiry: series?.expiry, notional: '250000000000' })
  const until = formatTimestamp(series?.expiry ?? 0)
  const { firmquote, borrow } = commands
  return `ready ${url}

Open that page: connect its "Demo account", see what it owes, run an auction and fix a rate. The "Demo smart account" needs one
confirmation for all of it.
See what there is: pools, floating rates, series and their depth; the quotes that market makers have published:
  curl -s ${url}/api/v1/pools/rates
  curl -s ${url}/api/v1/quotes
Ask for a fixed rate on 250,000 ${tokenSymbol} until ${until}, and watch the quotes come in for 15 seconds:
  curl -N -X POST ${url}/api/v1/rfq/quote/stream -H 'content-type: application/json' -d '${request}'
The same as one answer, what was quoted lately, and the service's status:
  curl -s -X POST ${url}/api/v1/rfq/quote -H 'content-type: application/json' -d '${request}'
  curl -s ${url}/api/v1/rfq/quotes/recent
  curl -s ${url}/api/v1/health
Read and try the whole API in a browser:
  ${url}/docs
From a terminal: the same auction as a ladder, checked on the chain (${rpcUrl}), and the best taken by a borrower who
has allowed nothing yet; the key is one that everybody knows:
  ${firmquote} pools --url ${url}
  FIRMQUOTE_PRIVATE_KEY=${newcomers[2].privateKey} ${firmquote} rfq --url ${url} --rpc ${rpcUrl} --pool 1 --expiry ${series?.expiry} --notional 250k --max-apr 12 --take --approve
Be such a borrower in code: run an auction with the SDK, check its best quote, allow its cost, take it on-chain:
  ${borrow} ${url} ${rpcUrl} ${pool.poolId} ${series?.expiry}
Steer the market makers. \`getPolicy\`, \`pause\`, \`resume\` and \`listQuotes\` work like \`status\`:
${makers.map(({ socketPath }) => `  ${firmquote} daemon status --socket ${socketPath}\n`).join('')}${more}Ctrl-C stops everything.
`
}

/** The loan token of the devnet's pools. */
const tokenSymbol = 'tUSD'
