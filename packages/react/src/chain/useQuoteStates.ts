import { isSignedByMaker, type QuoteState, recoverSigner } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { type BlockRef, ChainUnavailableError, type CollectedQuote } from '@firmquote/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Address, Client, Hex } from 'viem'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { rereadAfter } from './followBlocks.ts'
import { useBlock, useChain } from './useChain.ts'

/** What the chain says of an auction's quotes. */
export type QuoteStates =
  /** No wallet to ask: the service's word at the time of receipt is all there is. */
  | { source: 'service'; wallet: 'none' | 'wrongNetwork' }
  /** Being asked for the first time. */
  | { source: 'waiting' }
  /** It could not be read. Unknown is never fine; what it has said before, if anything, may still be a reason against one. */
  | { source: 'unknown'; error: Error; last: Reading | null }
  | ({ source: 'chain' } & Reading)

/** The states of quotes by hash, read at one block for an account that might take them. */
type Reading = { borrower: Address; block: BlockRef; states: ReadonlyMap<Hex, QuoteState> }

// A pool never changes its token.
const loanTokens = new Map<Hex, Address>()

/** Reads the states of all quotes at one block, in one round trip, again at every new block. */
export function useQuoteStates(quotes: readonly CollectedQuote[]): QuoteStates {
  const { config } = useService()
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const block = useBlock()
  const { data, error } = useQuery({
    // Not by block: a reading that takes longer than a block would never be seen.
    queryKey: [...queryKeys.chain, 'quoteStates', client?.uid, client?.account.address, quotes.map(({ hash }) => hash)],
    queryFn: async (): Promise<Reading> => {
      if (!client || !block.data) throw new ChainUnavailableError('No wallet is connected.')
      const { quoteMarket, interestRatePool } = config.contracts
      const borrower = client.account.address
      const states = await readStates(client, quotes, { quoteMarket, interestRatePool, borrower, block: block.data })
      return { borrower, block: block.data, states }
    },
    enabled: client !== null && block.data !== undefined && quotes.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, error } }) => rereadAfter(data?.block, block.data, error !== null),
    gcTime: 0,
    retry: false,
  })
  if (chain.state === 'none' || chain.state === 'wrongNetwork') return { source: 'service', wallet: chain.state }
  // The block before may have been read for another account.
  const last = client && data?.borrower === client.account.address ? data : null
  const failure = block.error ?? error
  if (failure) return { source: 'unknown', error: failure, last }
  return last ? { source: 'chain', ...last } : { source: 'waiting' }
}

/** A signature does not change: it is looked at once. */
const signers = new Map<Hex, Promise<Address | null>>()
const mostSigners = 1_000

/** As many makers that are contracts are asked, one by one. */
const mostContractMakers = 16

/**
 * One call reads all states without asking any maker's contract, so that none of them can make it fail. What no key has signed is
 * then asked about in a call of its own; without its answer it counts as not signed.
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
  const byContract = queries.filter(({ quote, signer }) => !isSignedByMaker(quote, signer)).slice(0, mostContractMakers)
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
  if (signers.size >= mostSigners) signers.clear()
  const found = recoverSigner(hash, signature).then(({ signer = null }) => signer)
  signers.set(key, found)
  return found
}
