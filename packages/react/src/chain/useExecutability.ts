import {
  ChainUnavailableError,
  checkExecutability,
  type Executability,
  type ExecutabilityRequest,
  hashQuote,
  type SignedQuote,
} from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '../service/queryKeys.ts'
import { serverNow, useServerNow } from '../service/serverClock.ts'
import { useService } from '../service/serviceContext.ts'
import { isFresh, rereadAfter } from './followBlocks.ts'
import { useBlock, useChain } from './useChain.ts'

/** What is known of a quote at the newest block. */
export type ExecutabilityReading =
  /** The six checks for this account and this request; the block before's while the newest one is being read. */
  | { data: Executability; error: null; isPending: false }
  /** Why the chain could not be read. Then there is no verdict: unknown is never fine. */
  | { data: undefined; error: Error; isPending: false }
  /** Being read, or there is no wallet to read through. */
  | { data: undefined; error: null; isPending: true }

/**
 * Runs the six checks of a quote for the connected account, all read at one block, again at every new block. A verdict that is older
 * than 15 seconds is none.
 *
 * @param request what was asked for: the quote must be for exactly its notional, and cost at most its `maxVrtAmount`.
 * @throws {InvalidInputError} when the quote is malformed.
 * @example
 * ```tsx
 * const { data, error } = useExecutability(quote, { poolId, seriesKey, notional: quote.notional, maxVrtAmount })
 * const failed = data?.checks.filter(({ ok }) => !ok)
 * ```
 */
export function useExecutability(signed: SignedQuote, request: ExecutabilityRequest): ExecutabilityReading {
  const { config } = useService()
  const { chainId, contracts } = config
  const { quoteMarket, interestRatePool } = contracts
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const block = useBlock()
  const { poolId, seriesKey, expiry, notional, maxVrtAmount } = request
  const { data, error } = useQuery({
    queryKey: [
      ...queryKeys.chain,
      'executability',
      // Not by block: a reading that takes longer than a block would never be seen.
      { uid: client?.uid, account: client?.account.address, chainId, quoteMarket, interestRatePool },
      hashQuote(signed, { chainId, quoteMarket }),
      { poolId, seriesKey, expiry, notional: notional.toString(), maxVrtAmount: maxVrtAmount?.toString() },
    ],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      const readAt = serverNow()
      const verdict = await checkExecutability(signed, {
        request,
        borrower: client.account.address,
        publicClient: client,
        chainId,
        quoteMarketAddress: quoteMarket,
        interestRatePoolAddress: interestRatePool,
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
  const failure = error ?? block.error
  if (failure) return { data: undefined, error: failure, isPending: false }
  if (client && data && isFresh(data.readAt, now)) return { data: data.verdict, error: null, isPending: false }
  return { data: undefined, error: null, isPending: true }
}
