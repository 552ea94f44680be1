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

/** The result of checking a quote at the latest block. */
export type ExecutabilityReading =
  /**
   * The results of the six checks for this account and request. While the latest block is being read, they are for the
   * previous block.
   */
  | { data: Executability; error: null; isPending: false }
  /** The read failed, so treat the quote as not executable. */
  | { data: undefined; error: Error; isPending: false }
  /** The result is loading, or no wallet is connected. */
  | { data: undefined; error: null; isPending: true }

/**
 * Runs the six checks on a quote for the connected account at a single block, and reruns them at every new block. A
 * verdict expires after 15 seconds.
 *
 * @param request The request. The quote must match its notional exactly and cost at most its `maxVrtAmount`.
 * @param needed What the account must hold and approve, in raw units, if more than the quote's cost.
 * @throws {InvalidInputError} if the quote is malformed.
 * @example
 * ```tsx
 * const { data, error } = useExecutability(quote, { poolId, seriesKey, notional: quote.notional, maxVrtAmount })
 * const failed = data?.checks.filter(({ ok }) => !ok)
 * ```
 */
export function useExecutability(
  signed: SignedQuote,
  request: ExecutabilityRequest,
  needed?: bigint,
): ExecutabilityReading {
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
      // The key omits the block; otherwise, a read slower than the block time would never be shown.
      { uid: client?.uid, account: client?.account.address, chainId, quoteMarket, interestRatePool },
      hashQuote(signed, { chainId, quoteMarket }),
      { poolId, seriesKey, expiry, notional: notional.toString(), maxVrtAmount: maxVrtAmount?.toString() },
      needed?.toString(),
    ],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      const readAt = serverNow()
      const verdict = await checkExecutability(signed, {
        ...{ request, needed },
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
    // Do not show a result from an earlier visit.
    gcTime: 0,
    retry: false,
  })
  const now = useServerNow(1_000)
  const failure = error ?? block.error
  if (failure) return { data: undefined, error: failure, isPending: false }
  if (client && data && isFresh(data.readAt, now)) return { data: data.verdict, error: null, isPending: false }
  return { data: undefined, error: null, isPending: true }
}
