import { formatTimestamp } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'

/** The last lines of a start: that it is ready, and what to do now. */
export function thingsToTry(url: string, { rpcUrl, pools }: Devnet): string {
  const [pool] = pools
  const series = pool.series[2] ?? pool.series[0]
  const request = JSON.stringify({ poolId: pool.poolId, expiry: series?.expiry, notional: '250000000000' })
  return `ready ${url}

See what there is: pools, floating rates, series and their depth:
  curl -s ${url}/api/v1/pools/rates
Ask for a fixed rate on 250,000 ${tokenSymbol} until ${formatTimestamp(series?.expiry ?? 0)}, and watch the quotes come in for 15 seconds:
  curl -N -X POST ${url}/api/v1/rfq/quote/stream -H 'content-type: application/json' -d '${request}'
The same as one answer, what was quoted lately, and how the service feels:
  curl -s -X POST ${url}/api/v1/rfq/quote -H 'content-type: application/json' -d '${request}'
  curl -s ${url}/api/v1/rfq/quotes/recent
  curl -s ${url}/api/v1/health
Read and try the whole API in a browser:
  ${url}/docs
Be a borrower: run an auction with the SDK, check its best quote, take it on-chain (chain at ${rpcUrl}):
  node apps/demo/borrow.mjs ${url} ${rpcUrl} ${pool.poolId} ${series?.expiry}
Ctrl-C stops everything.
`
}

/** The loan token of the devnet's pools. */
const tokenSymbol = 'tUSD'
