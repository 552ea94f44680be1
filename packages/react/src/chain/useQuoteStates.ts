import type { QuoteState } from '@firmquote/core'
import { isSignedByMaker, readQuoteStates } from '@firmquote/core/chain'
import { recoverSigner } from '@firmquote/core/protocol'
import type { BlockRef, CollectedQuote } from '@firmquote/sdk'
import { keepPreviousData } from '@tanstack/react-query'
import type { Address, Client, Hex } from 'viem'
import type { ChainErrorType } from '../errors.ts'
import { useService } from '../service/serviceContext.ts'
import { rereadAfter } from './followBlocks.ts'
import { useBlock } from './useBlock.ts'
import { useChain, useWallet } from './useChain.ts'
import { useChainQuery } from './useChainQuery.ts'

/** The on-chain states of an auction's quotes. */
export type QuoteStates =
  /** No wallet is available to read through. Only the service has checked the quotes, on receipt. */
  | { source: 'service'; wallet: 'none' | 'wrongNetwork' }
  /** The first read is pending, or the query is disabled. */
  | { source: 'waiting' }
  /**
   * The read failed. Treat quotes as not executable. The last successful read, if any, may still show why a quote
   * cannot be taken.
   */
  | { source: 'unknown'; error: ChainErrorType; last: Reading | null }
  | ({ source: 'chain' } & Reading)

/** Quote states by hash, read at a single block for a potential taker. */
type Reading = { borrower: Address; block: BlockRef; states: ReadonlyMap<Hex, QuoteState> }

// Cached indefinitely, because a pool's loan token never changes.
const loanTokens = new Map<Hex, Address>()

/**
 * Reads the states of all quotes at a single block, in one request, and rereads them at every new block.
 *
 * @example
 * ```tsx
 * const states = useQuoteStates({ quotes: auction.quotes })
 * const state = states.source === 'chain' && states.states.get(hash)?.status
 * ```
 */
export function useQuoteStates({
  quotes,
  query: { enabled = true } = {},
}: {
  quotes: readonly CollectedQuote[]
  query?: { enabled?: boolean | undefined } | undefined
}): QuoteStates {
  const { config } = useService()
  const chain = useChain()
  const client = useWallet()
  const block = useBlock()
  const { data, error } = useChainQuery(
    // The key omits the block; otherwise, a read slower than the block time would never be shown.
    ['quoteStates', quotes.map(({ hash }) => hash)],
    async (client): Promise<Reading> => {
      // The query is disabled without a block.
      const at = block.data as BlockRef
      const { quoteMarket, interestRatePool } = config.contracts
      const borrower = client.account.address
      const states = await readStates(client, quotes, { quoteMarket, interestRatePool, borrower, block: at })
      return { borrower, block: at, states }
    },
    {
      enabled: enabled && block.data !== undefined && quotes.length > 0,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data, error } }) => rereadAfter(data?.block, block.data, error !== null),
      gcTime: 0,
      retry: false,
    },
  )
  if (chain.state === 'none' || chain.state === 'wrongNetwork') return { source: 'service', wallet: chain.state }
  if (!enabled) return { source: 'waiting' }
  // The previous read may have been for another account.
  const last = client && data?.borrower === client.account.address ? data : null
  const failure = block.error ?? error
  if (failure) return { source: 'unknown', error: failure, last }
  return last ? { source: 'chain', ...last } : { source: 'waiting' }
}

/** Recovered signers, by quote hash and signature. */
const signers = new Map<Hex, Promise<Address | null>>()
const maxSigners = 1_000

/** Maximum number of contract makers' quotes to query individually. */
const maxContractMakers = 16

/**
 * Reads all states in one call that involves no maker's contract, so that no maker can make it fail. Quotes without a
 * valid ECDSA signature are then queried individually. If the query for a quote fails, the quote counts as unsigned.
 */
async function readStates(
  client: Client,
  quotes: readonly CollectedQuote[],
  at: { quoteMarket: Address; interestRatePool: Address; borrower: Address; block: BlockRef },
): Promise<ReadonlyMap<Hex, QuoteState>> {
  const queries = await Promise.all(
    quotes.map(async ({ quote, hash }) => ({
      quote,
      hash,
      signer: await signerOf(hash, quote.signature),
      preview: false,
    })),
  )
  const { states } = await readQuoteStates(client, { ...at, quotes: queries, loanTokens })
  const byContract = queries.filter(({ quote, signer }) => !isSignedByMaker(quote, signer)).slice(0, maxContractMakers)
  const asked = await Promise.all(
    byContract.map(async (query) => {
      const one = { ...at, quotes: [{ ...query, preview: true }], loanTokens }
      return readQuoteStates(client, one).then(
        (read) => read.states,
        () => [],
      )
    }),
  )
  return new Map([...states, ...asked.flat()].map((state) => [state.hash, state]))
}

function signerOf(hash: Hex, signature: Hex): Promise<Address | null> {
  const key: Hex = `${hash}${signature.slice(2)}`
  const known = signers.get(key)
  if (known) return known
  if (signers.size >= maxSigners) signers.clear()
  const found = recoverSigner(hash, signature).then(({ signer = null }) => signer)
  signers.set(key, found)
  return found
}
