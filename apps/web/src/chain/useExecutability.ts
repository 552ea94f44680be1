import {
  ChainUnavailableError,
  checkExecutability,
  type Executability,
  type ExecutabilityRequest,
  type SignedQuote,
} from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { serverNow, useServerNow } from '../service/serverClock.ts'
import { useService } from '../service/serviceContext.ts'
import { isFresh, rereadAfter } from './followBlocks.ts'
import { useBlock, useChain } from './useChain.ts'

/** What is known of a quote at the newest block. */
export type ExecutabilityReading = {
  /** The six checks for this account and this request; the block before's while the newest one is being read. */
  verdict: Executability | undefined
  /** Why the chain could not be read. Then there is no verdict: unknown is never fine. */
  error: Error | null
}

/** Runs the six checks for the connected account, all read at one block, again at every new block. */
export function useExecutability(
  quote: { hash: string; signed: SignedQuote },
  request: ExecutabilityRequest,
): ExecutabilityReading {
  const { config } = useService()
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const block = useBlock()
  const { data, error } = useQuery({
    // Not by block: a reading that takes longer than a block would never be seen.
    queryKey: ['executability', quote.hash, client?.uid, client?.account.address, request.notional.toString()],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      const readAt = serverNow()
      const verdict = await checkExecutability(quote.signed, {
        request,
        borrower: client.account.address,
        publicClient: client,
        chainId: config.chainId,
        quoteMarketAddress: config.contracts.quoteMarket,
        interestRatePoolAddress: config.contracts.interestRatePool,
        now: Math.floor(readAt / 1000),
      })
      return { verdict, readAt }
    },
    enabled: client !== null && block.data !== undefined,
    refetchInterval: ({ state }) => rereadAfter(state.data?.verdict.block, block.data, state.error !== null),
    // What was read on an earlier visit is no answer to this one.
    gcTime: 0,
    retry: false,
  })
  const now = useServerNow(1_000)
  const verdict = data && isFresh(data.readAt, now) ? data.verdict : undefined
  const failure = error ?? block.error
  return failure || !client ? { verdict: undefined, error: failure } : { verdict, error: null }
}
