import { once } from 'node:events'
import { Agent, createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashQuote, interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { type Address, createPublicClient, erc20Abi, type Hex, http } from 'viem'
import { inRounds } from '../compare.ts'
import { figureOf, noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { postQuotes } from '../stand/postQuotes.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const quoteCount = 100

/** The sync stands still, so that only quotes are counted. */
const settings = { SYNC_INTERVAL_MS: '600000', HEAD_DEGRADED_SECONDS: '31536000', HEAD_STALE_SECONDS: '31536000' }

/** The chain state of 100 quotes of 100 makers: the server's requests to the node, and how long they take. */
export const chainState: Row = {
  id: 'chain-state',
  about: 'the chain state of 100 quotes, against reading it one by one',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    let proxy: CountingProxy | undefined
    const rpcUrl = async (nodeUrl: string) => {
      proxy = await startCountingProxy(nodeUrl)
      stack.defer(proxy.close)
      return proxy.url
    }
    const stand = await startStand({ makers: quoteCount, settings, rpcUrl })
    stack.defer(stand.stop)
    const node = proxy
    if (!node) throw new TypeError('There is no proxy.')
    const rounds = await inRounds(context, async () => {
      const quotes = await signQuotes(stand, quoteCount)
      node.take()
      await postQuotes(stand.url, quoteBodies(quotes), { connections: quoteCount })
      const published = node.take()
      await readTogether(stand, quotes, node.url)
      const passed = node.take()
      const ours = await readTogether(stand, quotes, stand.devnet.rpcUrl)
      return { published, passed, ours, theirs: await readOneByOne(stand, quotes) }
    })
    const [ours, theirs] = [rounds.map((round) => round.ours), rounds.map((round) => round.theirs)]
    const requests = rounds.map(({ passed }) => passed.requests)
    const publishing = rounds.map(({ published }) => published.requests)
    return [
      {
        what: `RPC round trips for the state of ${quoteCount} quotes`,
        unit: 'requests',
        figure: figureOf(rounds.map(({ passed }) => passed.roundTrips)),
        ...goals.chainStateRoundTrips,
        notes: [
          `${noteOf(requests, 'requests')} at the same time`,
          `${noteOf(publishing, 'requests')} when the ${quoteCount} are published over ${quoteCount} connections at once`,
        ],
      },
      {
        what: `chain state of ${quoteCount} quotes`,
        rival: 'viem, each reading a call of its own, one by one',
        unit: 'x',
        figure: ratioOf(theirs, ours),
        ...goals.chainState,
        notes: [`${noteOf(ours, 'ms', 1)} against ${noteOf(theirs, 'ms')}`],
      },
    ]
  },
}

/** In milliseconds. */
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

/** In milliseconds. */
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

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Requests that overlap are one round trip: one wait. */
type Passed = { requests: number; roundTrips: number }

/** A proxy in front of a node; `take` returns what has passed since the last call. */
type CountingProxy = { url: string; take(): Passed; close(): Promise<void> }

async function startCountingProxy(rpcUrl: string): Promise<CountingProxy> {
  let passed: Passed = { requests: 0, roundTrips: 0 }
  let pending = 0
  const agent = new Agent({ keepAlive: true })
  const proxy = createServer((request, response) => {
    passed.requests += 1
    if (pending === 0) passed.roundTrips += 1
    pending += 1
    response.once('close', () => {
      pending -= 1
    })
    const { 'content-length': length, 'content-type': type = 'application/json' } = request.headers
    const headers = { 'content-type': type, ...(length !== undefined && { 'content-length': length }) }
    const onward = sendRequest(rpcUrl, { method: 'POST', headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
      answer.pipe(response)
    })
    onward.once('error', () => response.destroy())
    request.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    take() {
      const taken = passed
      passed = { requests: 0, roundTrips: 0 }
      return taken
    },
    async close() {
      proxy.close()
      proxy.closeAllConnections()
      agent.destroy()
    },
  }
}
