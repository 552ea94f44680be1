import type { BlockRef, QuoteState } from '@firmquote/core'
import { type AskedQuote, type LoanToken, readLatestBlock, readMarkets, readQuoteStates } from '@firmquote/core/chain'
import type { Address, Client, Hex } from 'viem'
import type { MarketReading, MarketRequest } from '../../ports/chain.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Where markets are read. */
export type MarketReadsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Loan tokens of pools, shared with whoever else reads quotes. */
  loanTokens: Map<Hex, Address>
}

/** Most quotes in one request. */
const quotesAtOnce = 200
/** How many more requests one reading may make to find what the node refuses: enough for a few in hundreds of quotes. */
const mostRetries = 48

/** Creates the reading of markets, and of quotes at the same block. What never changes is read once. */
export function createMarketReads(options: MarketReadsOptions): (request: MarketRequest) => Promise<MarketReading> {
  const { client, interestRatePool } = options
  const tokens = new Map<Address, LoanToken>()

  return async ({ quotes = [], ...wanted }) => {
    const block = await readLatestBlock(client)
    const parts: (readonly AskedQuote[])[] = []
    for (let start = 0; start < quotes.length; start += quotesAtOnce) {
      parts.push(quotes.slice(start, start + quotesAtOnce))
    }
    const retries = { left: mostRetries }
    const [markets, ...states] = await Promise.all([
      readMarkets(client, { ...wanted, interestRatePool, block, tokens }),
      ...parts.map((part) => readStatesAt(options, block, part, retries)),
    ])
    return { ...markets, states: states.flat() }
  }
}

/** A request that the node refuses is halved, until the one quote is found that makes it so. */
async function readStatesAt(
  options: MarketReadsOptions,
  block: BlockRef,
  quotes: readonly AskedQuote[],
  retries: { left: number },
): Promise<(QuoteState | null)[]> {
  const { client, ...known } = options
  try {
    return (await readQuoteStates(client, { ...known, quotes, block })).states
  } catch (error) {
    if (rpcFailureKind(error) === 'silent') throw error
    if (quotes.length <= 1 || retries.left < 2) return quotes.map(() => null)
    retries.left -= 2
    const middle = Math.ceil(quotes.length / 2)
    const halves = [quotes.slice(0, middle), quotes.slice(middle)]
    return (await Promise.all(halves.map((half) => readStatesAt(options, block, half, retries)))).flat()
  }
}
