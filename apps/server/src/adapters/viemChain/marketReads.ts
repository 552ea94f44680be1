import type { BlockRef, QuoteState } from '@firmquote/core'
import {
  type ContractCalls,
  type LoanToken,
  type QuoteStateQuery,
  readLatestBlock,
  readMarkets,
  readQuoteStates,
} from '@firmquote/core/chain'
import { type Address, type Client, type Hex, zeroHash } from 'viem'
import type { MarketReading, MarketRequest } from '../../ports/chain.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Where markets are read. */
export type MarketReadsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Loan tokens of pools, shared with the other readers of quotes. */
  loanTokens: Map<Hex, Address>
  contractCalls: ContractCalls
}

/**
 * How long the contracts of makers may take in one reading, in milliseconds: a page is there within a second whatever they do.
 * What has no answer by then is asked again in the next reading.
 */
const contractTimeoutMs = 400
/** Most quotes in one request. */
const quotesAtOnce = 200
/** How many more requests one reading may make to find what the node refuses: enough for a few in hundreds of quotes. */
const mostRetries = 48

/** More states than this are forgotten before the next reading, never during one, which needs all of its own. */
const mostKept = 10_000

/** Creates the reading of markets, and of quotes at the same block. What never changes is read once, a quote once a block. */
export function createMarketReads(options: MarketReadsOptions): (request: MarketRequest) => Promise<MarketReading> {
  const { client, interestRatePool } = options
  const tokens = new Map<Address, LoanToken>()
  const collaterals = new Map<Hex, LoanToken | null>()
  /** The quotes that were read at the newest block. A reading at another one meanwhile fills a map of its own. */
  let latest = { blockHash: zeroHash as Hex, states: new Map<string, QuoteState>() }

  return async ({ quotes = [], collateral, ...wanted }) => {
    const block = await readLatestBlock(client)
    if (latest.blockHash !== block.hash || latest.states.size > mostKept) {
      latest = { blockHash: block.hash, states: new Map() }
    }
    const { states: known } = latest
    const unread = quotes.filter((quote) => !known.has(keyOf(quote)))
    const parts: (readonly QuoteStateQuery[])[] = []
    for (let start = 0; start < unread.length; start += quotesAtOnce) {
      parts.push(unread.slice(start, start + quotesAtOnce))
    }
    const retries = { left: mostRetries }
    const [markets, ...states] = await Promise.all([
      readMarkets(client, { ...wanted, interestRatePool, block, tokens, ...(collateral && { collaterals }) }),
      ...parts.map((part) => readStatesAt(options, block, part, retries)),
    ])
    const read = states.flat()
    unread.forEach((quote, index) => {
      const state = read[index]
      if (state && state.preview?.failure !== 'silent') known.set(keyOf(quote), state)
    })
    return { ...markets, states: quotes.map((quote) => known.get(keyOf(quote)) ?? null) }
  }
}

/** The same terms may come with another signature, and without the preview. */
function keyOf({ hash, quote, preview }: QuoteStateQuery): string {
  return `${hash}${quote.signature}${preview}`
}

/** A request that the node refuses is halved, until the one quote is found that makes it so. */
async function readStatesAt(
  options: MarketReadsOptions,
  block: BlockRef,
  quotes: readonly QuoteStateQuery[],
  retries: { left: number },
): Promise<(QuoteState | null)[]> {
  const { client, ...known } = options
  try {
    return (await readQuoteStates(client, { ...known, quotes, block, contractTimeoutMs, stopAtFailure: true })).states
  } catch (error) {
    if (rpcFailureKind(error) === 'silent') throw error
    if (quotes.length <= 1 || retries.left < 2) return quotes.map(() => null)
    retries.left -= 2
    const middle = Math.ceil(quotes.length / 2)
    const halves = [quotes.slice(0, middle), quotes.slice(middle)]
    return (await Promise.all(halves.map((half) => readStatesAt(options, block, half, retries)))).flat()
  }
}
