// A borrower in one file: asks for quotes, checks the best one at one block, takes it on-chain.
//
//   node apps/demo/borrow.mjs http://localhost:3005 http://127.0.0.1:8545 <poolId> <expiry>
//
// It plays the first borrower of the devnet, whose key is public. Never use such a key anywhere else.
import { checkExecutability, formatPrincipal, formatRate, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'

const [orderbookUrl, rpcUrl, poolId, expiry] = process.argv.slice(2)
const account = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const publicClient = createPublicClient({ chain: base, transport: http(rpcUrl) })
const walletClient = createWalletClient({ account, chain: base, transport: http(rpcUrl) })
const client = new ServiceClient({ orderbookUrl })
const request = { poolId, expiry: Number(expiry), notional: 250_000_000_000n, taker: account.address }

const quotes = new Map()
let best
for await (const event of client.streamQuotes(request)) {
  if (event.type === 'started') console.log(`asked ${event.data.backers} backers; the auction takes 15 seconds`)
  if (event.type === 'quote') {
    quotes.set(event.data.hash, event.data)
    console.log(`  fixed at ${formatRate(event.data.apr)} APR by ${event.data.quote.maker}`)
  }
  if (event.type === 'done') best = quotes.get(event.data.ranking[0])
}
if (!best) {
  console.error('nobody quoted')
  process.exit(1)
}

const { quote } = best
const verdict = await checkExecutability(quote, {
  request: { ...request, seriesKey: quote.seriesKey },
  borrower: account.address,
  publicClient,
})
for (const check of verdict.checks)
  console.log(`${check.ok ? 'ok  ' : 'no  '}${check.name}${check.ok ? '' : `: ${check.reason}`}`)
if (!verdict.executable) process.exit(1)

const hash = await walletClient.writeContract(takeQuoteParameters(quote, { maxCost: quote.vrtAmount }))
const receipt = await publicClient.waitForTransactionReceipt({ hash })
console.log(
  `${receipt.status}: ${formatRate(best.apr)} APR is fixed for ${formatPrincipal(quote.vrtAmount, 6)} tUSD, ${hash}`,
)
