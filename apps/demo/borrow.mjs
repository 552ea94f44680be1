// A borrower in one file: asks for quotes, chooses the best that can be taken at one block, allows its cost, permits the
// quote market, takes it on-chain.
//
//   node apps/demo/borrow.mjs http://localhost:3005 http://127.0.0.1:8545 <poolId> <expiry> [most APR in percent, default 12]
//
// It plays the fourth newcomer of the devnet, whose key is public. Never use such a key anywhere else.
import {
  approvalSteps,
  formatPrincipal,
  formatRate,
  quoteApr,
  ServiceClient,
  setOperatorParameters,
  takeBest,
} from '@firmquote/sdk'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'

const [orderbookUrl, rpcUrl, poolId, expiry, most = '12'] = process.argv.slice(2)
const account = privateKeyToAccount('0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd')
const publicClient = createPublicClient({ chain: base, transport: http(rpcUrl), pollingInterval: 500 })
const walletClient = createWalletClient({ account, chain: base, transport: http(rpcUrl) })
const client = new ServiceClient({ orderbookUrl })
const request = { poolId, expiry: Number(expiry), notional: 250_000_000_000n, taker: account.address }
const limit = { maxApr: Number(most) }

async function send(call) {
  return publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) })
}

let rfq
const quotes = []
for await (const event of client.streamQuotes(request)) {
  if (event.type === 'started') {
    rfq = event.data
    console.log(`asked ${rfq.backers} backers; the auction takes 15 seconds`)
  }
  if (event.type === 'quote') {
    quotes.push(event.data)
    console.log(`  fixed at ${formatRate(event.data.apr)} APR by ${event.data.quote.maker}`)
  }
}
if (quotes.length === 0) {
  console.error('nobody quoted')
  process.exit(1)
}

// Neither the service's order nor its word counts: what can be taken is read from the chain, and chosen here.
const { taken, notional, cost, plan } = await takeBest(quotes, {
  request: { ...request, seriesKey: rfq.seriesKey },
  limit,
  borrower: account.address,
  publicClient,
  onPlan({ takes: [next] }) {
    for (const check of next?.verdict.checks ?? [])
      console.log(`${check.ok ? 'ok  ' : 'no  '}${check.name}${check.ok ? '' : `: ${check.reason}`}`)
  },
  // What a first take needs. The answer is the block from which on it is there.
  async onMissing({ missing, takes: [next], loanToken, cost }) {
    let receipt
    if (missing.includes('allowance')) {
      const allowance = next.verdict.checks.find(({ name }) => name === 'borrower').allowance
      for (const step of approvalSteps({ loanToken, allowance, amount: cost })) receipt = await send(step)
      console.log(`allowed ${formatPrincipal(cost, 6)} tUSD, exactly the cost`)
    }
    if (missing.includes('operator')) {
      receipt = await send(setOperatorParameters())
      console.log('permitted the quote market to open positions')
    }
    return receipt?.blockNumber
  },
  send,
  onTaken: ({ signed, receipt }) => console.log(`took the quote of ${signed.maker}, ${receipt.transactionHash}`),
})
if (taken.length === 0) {
  for (const { signed, reason } of plan.refused) console.error(`not the quote of ${signed.maker}: ${reason}`)
  console.error(`nothing can be taken at ${formatRate(limit.maxApr)} APR or less`)
  process.exit(1)
}
const apr = quoteApr({ notional, vrtAmount: cost }, rfq.expiry, Date.now() / 1000)
console.log(
  `success: ${formatPrincipal(notional, 6)} of ${formatPrincipal(request.notional, 6)} tUSD fixed in ${taken.length} take(s), at ${formatRate(apr)} APR for ${formatPrincipal(cost, 6)} tUSD`,
)
