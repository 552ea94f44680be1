// A borrower. Requests quotes, chooses the best combination that is executable at a single block, approves its cost,
// authorizes the quote market, takes the quotes on-chain, and prints the position.
//
//   node borrow.mjs [service] [node] [poolId] [expiry] [maximum APR in percent, default 12]
import {
  approvalSteps,
  formatPrincipal,
  formatRate,
  formatTimestamp,
  interestRatePoolAbi,
  quoteApr,
  setOperatorParameters,
  takeBest,
} from '@firmquote/sdk'
import { parseEventLogs } from 'viem'
import { account, client, publicClient, send } from './connect.mjs'

const [, , poolId, expiry, most = '12'] = process.argv.slice(2)
const pools = await client.getPoolRates()
const pool = poolId === undefined ? pools[0] : pools.find((candidate) => candidate.poolId === poolId)
if (!pool) throw new TypeError(`The service has no pool ${poolId}.`)
const { symbol, decimals } = pool.loanToken
const tokens = (amount) => `${formatPrincipal(amount, decimals)} ${symbol}`
const request = {
  poolId: pool.poolId,
  expiry: Number(expiry ?? pool.series[2].expiry),
  notional: 250_000n * 10n ** BigInt(decimals),
  taker: account.address,
}
const limit = { maxApr: Number(most) }

let rfq
const quotes = []
for await (const event of client.streamQuotes(request)) {
  if (event.type === 'started') {
    rfq = event.data
    console.log(`asked ${rfq.backers} backers for a fixed rate on ${tokens(request.notional)}`)
  }
  if (event.type === 'quote') {
    quotes.push(event.data)
    console.log(`  fixed at ${formatRate(event.data.apr)} APR by ${event.data.quote.maker}`)
  }
}
if (!rfq || quotes.length === 0) {
  console.error('no quotes received')
  process.exit(1)
}

// Does not rely on the service: `takeBest` reads the quotes' state from the chain and chooses from them locally.
const { taken, notional, cost, plan } = await takeBest(quotes, {
  // The service chose the series. Without `latestExpiry`, it could choose one that ends much later and costs more.
  request: { ...request, seriesKey: rfq.seriesKey, latestExpiry: request.expiry + 7 * 86_400 },
  limit,
  borrower: account.address,
  publicClient,
  onPlan({ takes: [next] }) {
    for (const check of next?.verdict.checks ?? [])
      console.log(`${check.ok ? 'ok  ' : 'no  '}${check.name}${check.ok ? '' : `: ${check.reason}`}`)
  },
  // Grants any approvals missing before the first take. Returns the block in which the approvals were granted.
  async onMissing({ missing, takes: [next], loanToken, cost }) {
    let receipt
    if (next && loanToken && missing.includes('allowance')) {
      const allowance = next.verdict.checks.find((check) => check.name === 'borrower')?.allowance ?? 0n
      for (const step of approvalSteps({ loanToken, allowance, amount: cost })) receipt = await send(step)
      console.log(`allowed ${tokens(cost)}, exactly the cost`)
    }
    if (missing.includes('operator')) {
      receipt = await send(setOperatorParameters())
      console.log('permitted the quote market to open positions')
    }
    return receipt?.blockNumber
  },
  send,
  onTaken({ signed, receipt }) {
    console.log(`took the quote of ${signed.maker}, ${receipt.transactionHash}`)
    for (const { args } of parseEventLogs({
      abi: interestRatePoolAbi,
      eventName: 'PositionOpened',
      logs: receipt.logs,
    }))
      console.log(`position ${args.positionId}: ${tokens(args.notional)} until ${formatTimestamp(rfq.expiry)}`)
  },
})
if (taken.length === 0) {
  for (const { signed, reason } of plan.refused) console.error(`skipped the quote of ${signed.maker}: ${reason}`)
  console.error(`no quote can be taken at ${formatRate(limit.maxApr)} APR or less`)
  process.exit(1)
}
const apr = quoteApr({ notional, vrtAmount: cost }, rfq.expiry, Date.now() / 1000)
console.log(
  `success: ${tokens(notional)} of ${tokens(request.notional)} fixed in ${taken.length} take(s), at ${formatRate(apr)} APR for ${tokens(cost)}`,
)
