import { setTimeout as sleep } from 'node:timers/promises'
import { hashQuote, interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { type Address, createPublicClient, erc20Abi, type Hex, http } from 'viem'
import { startRpcProxy } from '../../../apps/server/test/rpcProxy.ts'
import { inRounds } from '../compare.ts'
import { figureOf, ratioOf } from '../figures.ts'
import { type Fixture, startFixture } from '../fixture/startFixture.ts'
import type { Row } from '../row.ts'

const quoteCount = 100

type HashedQuote = SignedQuote & { hash: Hex }

/** Number and duration of the node requests for the chain state of 100 quotes from 100 makers. */
export const chainState: Row = {
  id: 'chain-state',
  about: 'reading the chain state of 100 quotes, against reading it one call at a time',
  async run(context) {
    await using fixture = await startFixture(quoteCount)
    const { devnet, domain } = fixture
    const rounds = await inRounds(context, async () => {
      const quotes = fixture.sign(quoteCount).map((quote) => ({ ...quote, hash: hashQuote(quote, domain) }))
      return {
        roundTrips: await countRoundTrips(devnet.rpcUrl, (url) => readTogether(fixture, quotes, url)),
        ours: await timeOf(() => readTogether(fixture, quotes, devnet.rpcUrl)),
        theirs: await timeOf(() => readOneByOne(fixture, quotes)),
      }
    })
    const of = (which: keyof (typeof rounds)[number]) => rounds.map((round) => round[which])
    return {
      chainStateRoundTrips: figureOf(of('roundTrips')),
      chainState: ratioOf(of('theirs'), of('ours'), 'ms'),
    }
  },
}

async function readTogether(
  { devnet, domain }: Fixture,
  quotes: readonly HashedQuote[],
  rpcUrl: string,
): Promise<void> {
  const { interestRatePool, loanToken } = devnet.contracts
  const { states } = await readQuoteStates(createPublicClient({ transport: http(rpcUrl) }), {
    quoteMarket: domain.quoteMarket,
    interestRatePool,
    quotes: quotes.map((quote) => ({ quote, hash: quote.hash, signer: quote.maker, preview: false })),
    loanTokens: new Map<Hex, Address>(devnet.pools.map(({ poolId }) => [poolId, loanToken])),
  })
  if (states.some(({ status }) => status !== 'open')) throw new TypeError('A quote is not open.')
}

async function readOneByOne({ devnet, domain }: Fixture, quotes: readonly HashedQuote[]): Promise<void> {
  const client = createPublicClient({ transport: http(devnet.rpcUrl) })
  const market = { address: domain.quoteMarket, abi: quoteMarketAbi } as const
  const pool = { address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi } as const
  const token = { address: devnet.contracts.loanToken, abi: erc20Abi } as const
  for (const { hash, maker, seriesKey } of quotes) {
    await client.readContract({ ...market, functionName: 'nonces', args: [maker] })
    const status = await client.readContract({ ...market, functionName: 'quoteStatus', args: [hash] })
    await client.readContract({ ...pool, functionName: 'series', args: [seriesKey] })
    await client.readContract({ ...pool, functionName: 'capacity', args: [seriesKey] })
    await client.readContract({ ...token, functionName: 'balanceOf', args: [maker] })
    await client.readContract({ ...token, functionName: 'allowance', args: [maker, domain.quoteMarket] })
    if (status !== 0) throw new TypeError('A quote is not open.')
  }
}

/**
 * Milliseconds by which the proxy delays each response, so that requests sent together overlap even on a busy machine.
 */
const answerDelayMs = 50

/** Counts a read's round trips to the node. Overlapping requests count as one. */
async function countRoundTrips(rpcUrl: string, read: (url: string) => Promise<void>): Promise<number> {
  const proxy = await startRpcProxy(rpcUrl)
  const client = createPublicClient({ transport: http(rpcUrl) })
  let [roundTrips, pending] = [0, 0]
  proxy.interfere = async (call) => {
    if (pending === 0) roundTrips += 1
    pending += 1
    const result = await client.request(call as Parameters<typeof client.request>[0])
    await sleep(answerDelayMs)
    pending -= 1
    return { result }
  }
  try {
    await read(proxy.url)
  } finally {
    await proxy.close()
  }
  return roundTrips
}

/** Returns the duration in milliseconds. */
async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
