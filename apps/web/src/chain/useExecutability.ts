import {
  ChainUnavailableError,
  checkExecutability,
  type Executability,
  type ExecutabilityRequest,
  type SignedQuote,
} from '@firmquote/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { serverNow } from '../service/serverClock.ts'
import { useService } from '../service/serviceContext.ts'
import { useBlock, useChain } from './useChain.ts'

/** What is known of a quote at the newest block. */
export type ExecutabilityReading = {
  /** The six checks; the block before's while the newest one is being read. */
  verdict: Executability | undefined
  /** Why the chain could not be read. Then there is no verdict: unknown is never fine. */
  error: Error | null
}

/** Runs the specification's six checks for the connected account, all read at one block, again at every new block. */
export function useExecutability(
  quote: { hash: string; signed: SignedQuote },
  request: ExecutabilityRequest,
): ExecutabilityReading {
  const { config } = useService()
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const block = useBlock()
  const { data, error } = useQuery({
    queryKey: ['executability', quote.hash, client?.uid, request.notional.toString(), block.data?.hash],
    queryFn: () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      return checkExecutability(quote.signed, {
        request,
        borrower: client.account.address,
        publicClient: client,
        chainId: config.chainId,
        quoteMarketAddress: config.contracts.quoteMarket,
        interestRatePoolAddress: config.contracts.interestRatePool,
        now: Math.floor(serverNow() / 1000),
      })
    },
    enabled: client !== null && block.data !== undefined,
    placeholderData: keepPreviousData,
    // The deadline's window runs out between blocks too.
    refetchInterval: 5_000,
    retry: false,
  })
  const failure = error ?? block.error
  return failure || !client ? { verdict: undefined, error: failure } : { verdict: data, error: null }
}
