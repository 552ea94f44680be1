import { borrowers, devnetAddresses } from '@firmquote/devnet'
import { type RFQResult, ServiceClient, setOperatorParameters, takeQuoteParameters } from '@firmquote/sdk'
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import type { Demo } from './startDemo.ts'
import { type View, views } from './views.ts'

/** A view in a state that something has to happen for first, by requests to the service and the chain: no button is pressed. */
export type State = Omit<View, 'path'> & {
  /** Brings it about, and gives its address on the server. */
  path(demo: Demo): Promise<string>
}

/** What the page's demo account asks offers for, in whole tokens. */
const size = 50_000n

/** Every view, and what a borrower goes through in it. All but the running auction stay as they are. */
export const states: readonly State[] = [
  ...views.map((view) => ({ ...view, path: async () => view.path })),
  { name: 'running auction', wallet: true, path: async (demo) => `/#/auction/${await startAuction(demo)}` },
  { name: 'closed auction', wallet: true, path: async (demo) => `/#/auction/${(await closedAuction(demo)).rfqId}` },
  {
    name: 'offer',
    wallet: true,
    async path(demo) {
      const { rfqId, quotes } = await closedAuction(demo)
      return `/#/auction/${rfqId}/${quotes[0]?.hash}`
    },
  },
  { name: 'open position', wallet: true, path: async (demo) => takeOffer(demo).then(() => '/') },
  { name: 'unknown offer', path: async () => `/#/quote/0x${'12'.repeat(32)}` },
  { name: 'unknown auction', path: async () => `/#/auction/${'ab'.repeat(16)}` },
  { name: 'unknown page', path: async () => '/#/nowhere' },
]

async function requestOf(demo: Demo) {
  const client = new ServiceClient({ orderbookUrl: demo.url })
  const [pool] = await client.getPoolRates()
  const [, series] = pool?.series ?? []
  if (!pool || !series) throw new TypeError('the devnet has no such series')
  const notional = size * 10n ** BigInt(pool.loanToken.decimals)
  return {
    client,
    request: { poolId: pool.poolId, seriesKey: series.seriesKey, notional, taker: borrowers[0].address },
  }
}

async function startAuction(demo: Demo): Promise<string> {
  const { client, request } = await requestOf(demo)
  for await (const event of client.streamQuotes(request)) if (event.type === 'started') return event.data.rfqId
  throw new TypeError('the auction did not start')
}

async function closedAuction(demo: Demo): Promise<RFQResult> {
  const { client, request } = await requestOf(demo)
  const result = await client.requestQuotes(request)
  if (result.quotes.length === 0) throw new TypeError('nobody has made an offer')
  return result
}

/** Takes the best offer of an auction with the demo account's key, which the devnet gives away. */
async function takeOffer(demo: Demo): Promise<void> {
  const [best] = (await closedAuction(demo)).quotes
  if (!best) throw new TypeError('nobody has made an offer')
  const account = privateKeyToAccount(borrowers[0].privateKey)
  const wallet = createWalletClient({ account, chain: base, transport: http(demo.rpcUrl) })
  const node = createPublicClient({ chain: base, transport: http(demo.rpcUrl), pollingInterval: 100 })
  const { loanToken, quoteMarket } = devnetAddresses
  const allowed = [quoteMarket, best.quote.vrtAmount] as const
  const calls = [
    () => wallet.writeContract({ address: loanToken, abi: erc20Abi, functionName: 'approve', args: allowed }),
    () => wallet.writeContract(setOperatorParameters()),
    () => wallet.writeContract(takeQuoteParameters(best.quote)),
  ]
  for (const call of calls) await node.waitForTransactionReceipt({ hash: await call() })
}
