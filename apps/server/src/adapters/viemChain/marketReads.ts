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

/** Options of {@link createMarketReads}. */
export type MarketReadsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Pools' loan tokens, shared with the other readers of quotes. */
  loanTokens: Map<Hex, Address>
  contractCalls: ContractCalls
}

/**
 * Time limit for makers' contracts in one read, in milliseconds, so that a page loads within a second. Contracts that did not respond are called
 * again in the next read.
 */
const contractTimeoutMs = 400
/** Maximum number of quotes per request. */
const quotesAtOnce = 200
/** Maximum number of extra requests per read for isolating quotes that the node refuses. This is enough for a few refused quotes among hundreds. */
const maxRetries = 48

/** If more states than this are cached, the cache is cleared before the next read. A read never evicts its own states. */
const maxKept = 10_000

/** Creates a function that reads markets, and quotes at the same block. Constant values are read once, and each quote once per block. */
export function createMarketReads(options: MarketReadsOptions): (request: MarketRequest) => Promise<MarketReading> {
  const { client, interestRatePool } = options
  const tokens = new Map<Address, LoanToken>()
  const collaterals = new Map<Hex, LoanToken | null>()
  /** States at the newest block. A concurrent read at another block uses a separate map. */
  let latest = { blockHash: zeroHash as Hex, states: new Map<string, QuoteState>() }

  return async ({ quotes = [], collateral, ...wanted }) => {
    const block = await readLatestBlock(client)
    if (latest.blockHash !== block.hash || latest.states.size > maxKept) {
      latest = { blockHash: block.hash, states: new Map() }
    }
    const { states: known } = latest
    const unread = quotes.filter((quote) => !known.has(keyOf(quote)))
    const parts: (readonly QuoteStateQuery[])[] = []
    for (let start = 0; start < unread.length; start += quotesAtOnce) {
      parts.push(unread.slice(start, start + quotesAtOnce))
    }
    const retries = { left: maxRetries }
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

/** A state's cache key. The same terms may have another signature, or be read without the preview. */
function keyOf({ hash, quote, preview }: QuoteStateQuery): string {
  return `${hash}${quote.signature}${preview}`
}

/** Reads states at a block. If a request is refused, it is split in half until the offending quote is isolated. */
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
