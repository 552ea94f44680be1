import { BorrowerClient, takeBest } from '@firmquote/sdk'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'

// A devnet borrower whose private key is public.
const account = privateKeyToAccount('0x47c99abed3324a2707c28affff1267e45918ec8c3f20b8aa892e8b065d2942dd')
const walletClient = createWalletClient({ account, chain: base, transport: http('http://127.0.0.1:8545') })
const client = new BorrowerClient({ orderbookUrl: 'http://localhost:3005' })
const [{ poolId, series }] = await client.getPoolRates()
const size = { notional: 250_000_000_000n, minNotional: 250_000_000_000n }
const request = { poolId, seriesKey: series[2].seriesKey, ...size }
const { quotes } = await client.requestQuotes(request)
console.log(quotes[0].apr)
const { notional, cost } = await takeBest(quotes, { client, request, limit: { maxApr: 12 }, walletClient })
console.log(`fixed ${notional} for ${cost}`)
