import type { QuoteState } from '@firmquote/core'
import { readQuoteStates } from '@firmquote/core/chain'
import { type BlockRef, ChainUnavailableError, type CollectedQuote } from '@firmquote/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rereadAfter } from '../../chain/followBlocks.ts'
import { useBlock, useChain } from '../../chain/useChain.ts'
import { useService } from '../../service/serviceContext.ts'

/** What the chain says of an auction's quotes. */
export type LadderStates =
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
export function useLadderStates(quotes: readonly CollectedQuote[]): LadderStates {
  const { config } = useService()
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const block = useBlock()
  const { data, error } = useQuery({
    // Not by block: a reading that takes longer than a block would never be seen.
    queryKey: ['ladder', client?.uid, client?.account.address, quotes.map(({ hash }) => hash)],
    queryFn: async (): Promise<Reading> => {
      if (!client || !block.data) throw new ChainUnavailableError('No wallet is connected.')
      const read = await readQuoteStates(client, {
        quoteMarket: config.contracts.quoteMarket,
        interestRatePool: config.contracts.interestRatePool,
        // Asked with a preview, the contract itself judges each signature.
        quotes: quotes.map(({ quote, hash }) => ({ quote, hash, signer: null, preview: true })),
        borrower: client.account.address,
        block: block.data,
        loanTokens,
      })
      const states = new Map(quotes.map(({ hash }, index) => [hash, read.states[index]] as [Hex, QuoteState]))
      return { borrower: client.account.address, block: read.block, states }
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
