import { hashQuote, interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { type Address, createPublicClient, erc20Abi, type Hex, http } from 'viem'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { sendRequests } from '../stand/sendRequests.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { type CountingProxy, startCountingProxy } from '../stand/startCountingProxy.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const quoteCount = 100

/** The sync stands still, so that only quotes are counted. */
const settings = { SYNC_INTERVAL_MS: '600000', HEAD_DEGRADED_SECONDS: '31536000', HEAD_STALE_SECONDS: '31536000' }

/** The chain state of 100 quotes of 100 makers: what the server asks of the node, and how long it takes. */
export const chainState: Row = {
  id: 'chain-state',
  about: 'the chain state of 100 quotes, against reading it one by one',
  async run({ rounds, progress }) {
    await using stack = new AsyncDisposableStack()
    const proxies: CountingProxy[] = []
    const stand = await startStand({
      makers: quoteCount,
      settings,
      rpcUrl: async (nodeUrl) => {
        const proxy = await startCountingProxy(nodeUrl)
        stack.defer(proxy.close)
        proxies.push(proxy)
        return proxy.url
      },
    })
    stack.defer(stand.stop)
    const [node] = proxies
    if (!node) throw new TypeError('There is no proxy.')
    const roundTrips: number[] = []
    const requests: number[] = []
    const publishing: number[] = []
    const ours: number[] = []
    const theirs: number[] = []
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const quotes = await signQuotes(stand, quoteCount)
      const bodies = quoteBodies(quotes)
      node.reset()
      await sendRequests({ url: stand.url, path: '/api/v1/quotes', bodies, connections: quoteCount, status: 201 })
      const published = node.passed()
      node.reset()
      await readTogether(stand, quotes, node.url)
      const passed = node.passed()
      const together = await readTogether(stand, quotes, stand.devnet.rpcUrl)
      const alone = await readOneByOne(stand, quotes)
      progress(
        `round ${round} of ${rounds}: ${passed.roundTrips} round trips, ${together.toFixed(1)} ms against ${alone.toFixed(0)} ms`,
      )
      if (round === 0) continue
      roundTrips.push(passed.roundTrips)
      requests.push(passed.requests)
      publishing.push(published.requests)
      ours.push(together)
      theirs.push(alone)
    }
    return {
      findings: [
        {
          what: `RPC round trips for the state of ${quoteCount} quotes`,
          unit: 'requests',
          figure: figureOf(roundTrips),
          ...goals.chainStateRoundTrips,
          notes: [
            `${figureOf(requests).median} requests, under way at the same time`,
            `${figureOf(publishing).median} requests when the ${quoteCount} are published over ${quoteCount} connections at once`,
          ],
        },
        {
          what: `chain state of ${quoteCount} quotes`,
          rival: 'viem, each reading a call of its own, one by one',
          unit: 'x',
          figure: ratioOf(theirs, ours),
          ...goals.chainState,
          notes: [`${figureOf(ours).median.toFixed(1)} ms against ${figureOf(theirs).median.toFixed(0)} ms`],
        },
      ],
    }
  },
}

async function readTogether(
  { devnet, domain }: Stand,
  quotes: readonly SignedQuote[],
  rpcUrl: string,
): Promise<number> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const asked = quotes.map((quote) => ({ quote, hash: hashQuote(quote, domain), signer: quote.maker, preview: false }))
  const { quoteMarket } = domain
  const { interestRatePool } = devnet.contracts
  const loanTokens = new Map<Hex, Address>(devnet.pools.map(({ poolId }) => [poolId, devnet.contracts.loanToken]))
  return timeOf(async () => {
    const { states } = await readQuoteStates(client, { quoteMarket, interestRatePool, quotes: asked, loanTokens })
    if (states.some(({ status }) => status !== 'open')) throw new TypeError('A quote is not open.')
  })
}

async function readOneByOne({ devnet, domain }: Stand, quotes: readonly SignedQuote[]): Promise<number> {
  const client = createPublicClient({ transport: http(devnet.rpcUrl) })
  const market = { address: domain.quoteMarket, abi: quoteMarketAbi } as const
  const pool = { address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi } as const
  const token = { address: devnet.contracts.loanToken, abi: erc20Abi } as const
  const asked = quotes.map((quote) => ({ ...quote, hash: hashQuote(quote, domain) }))
  return timeOf(async () => {
    for (const { hash, maker, seriesKey } of asked) {
      await client.readContract({ ...market, functionName: 'nonces', args: [maker] })
      const status = await client.readContract({ ...market, functionName: 'quoteStatus', args: [hash] })
      await client.readContract({ ...pool, functionName: 'series', args: [seriesKey] })
      await client.readContract({ ...pool, functionName: 'capacity', args: [seriesKey] })
      await client.readContract({ ...token, functionName: 'balanceOf', args: [maker] })
      await client.readContract({ ...token, functionName: 'allowance', args: [maker, domain.quoteMarket] })
      if (status !== 0) throw new TypeError('A quote is not open.')
    }
  })
}

/** In milliseconds. */
async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
