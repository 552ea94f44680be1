import type { BlockRef, QuoteState } from '@firmquote/core'
import {
  type ContractCalls,
  type LendingTerms,
  type LoanToken,
  type QuoteStateQuery,
  readLatestBlock,
  readMarkets,
  readQuoteStates,
} from '@firmquote/core/chain'
import { type Address, type Client, type Hex, zeroHash } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Options of {@link createMarketReads}. */
export type MarketReadsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Pools' loan tokens, shared with the other functions that read quotes. */
  loanTokens: Map<Hex, Address>
  contractCalls: ContractCalls
}

/**
 * Time limit for makers' contracts in one read, in milliseconds; short, so that a page loads within a second. The next
 * read calls unresponsive contracts again.
 */
const contractTimeoutMs = 400
/** Maximum number of quotes per request. */
const quotesAtOnce = 200
/**
 * Maximum number of additional requests that one read may send to isolate quotes that the node refuses. Enough for a
 * few refused quotes among hundreds.
 */
const maxRetries = 48

/**
 * If the cache holds more states than this, it is cleared before the next read. A read never evicts states it has just
 * cached.
 */
const maxKept = 10_000

/** Creates readers for markets and stored quotes. Constant values are read once, and each quote once per block. */
export function createMarketReads(options: MarketReadsOptions): Pick<Chain, 'readMarkets' | 'readKnownQuotes'> {
  const { client, interestRatePool } = options
  const tokens = new Map<Address, LoanToken>()
  const terms = new Map<Hex, LendingTerms | null>()
  /** States at the newest block. A concurrent read at another block uses a separate map. */
  let latest = { blockHash: zeroHash as Hex, states: new Map<string, QuoteState>() }

  return {
    readMarkets: ({ terms: wantsTerms, ...wanted }) =>
      readMarkets(client, { ...wanted, interestRatePool, tokens, ...(wantsTerms && { terms }) }),

    async readKnownQuotes(quotes) {
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
      const read = await Promise.all(parts.map((part) => readStatesAt(options, block, part, retries)))
      for (const [index, state] of read.flat().entries()) {
        const quote = unread[index]
        if (quote && state && state.preview?.failure !== 'silent') known.set(keyOf(quote), state)
      }
      return { block, states: quotes.map((quote) => known.get(keyOf(quote)) ?? null) }
    },
  }
}

/**
 * A state's cache key. The key includes the signature and the preview flag, because the same terms may be read with a
 * different signature or without the preview.
 */
function keyOf({ hash, quote, preview }: QuoteStateQuery): string {
  return `${hash}${quote.signature}${preview}`
}

/** Reads states at a block. A refused request is repeatedly split in half until the offending quote is isolated. */
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
