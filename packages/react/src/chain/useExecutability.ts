import {
  checkExecutability,
  type Executability,
  type ExecutabilityRequest,
  hashQuote,
  type SignedQuote,
} from '@firmquote/sdk'
import type { ChainErrorType } from '../errors.ts'
import { serverNow } from '../service/serverClock.ts'
import { useService } from '../service/serviceContext.ts'
import { useServerNow } from '../service/useServerNow.ts'
import { isFresh, rereadAfter } from './followBlocks.ts'
import { useBlock } from './useBlock.ts'
import { useChainQuery } from './useChainQuery.ts'

/** The result of checking a quote at the latest block. */
export type ExecutabilityReading<Data = Executability> =
  /**
   * The results of the six checks for this account and request. While the latest block is being read, they are for the
   * previous block.
   */
  | { data: Data; error: null; isPending: false }
  /** The read failed, so treat the quote as not executable. */
  | { data: undefined; error: ChainErrorType; isPending: false }
  /** The result is loading, no wallet is connected, or the query is disabled. */
  | { data: undefined; error: null; isPending: true }

/** What {@link useExecutability} checks. */
export type ExecutabilityParameters<Selected = Executability> = {
  quote: SignedQuote
  /** The request. The quote must match its notional exactly and cost at most its `maxVrtAmount`. */
  request: ExecutabilityRequest
  /** What the account must hold and approve, in raw units, if more than the quote's cost. */
  needed?: bigint | undefined
  /** `select` determines the type of `data`. The hook sets the other options of TanStack Query. */
  query?: { enabled?: boolean | undefined; select?: ((verdict: Executability) => Selected) | undefined } | undefined
}

/**
 * Runs the six checks on a quote for the connected account at a single block, and reruns them at every new block. A
 * verdict expires after 15 seconds.
 *
 * @throws {InvalidInputError} if the quote is malformed.
 * @example
 * ```tsx
 * const { data, error } = useExecutability({ quote, request: { poolId, seriesKey, notional, maxVrtAmount } })
 * const failed = data?.checks.filter(({ ok }) => !ok)
 * ```
 */
export function useExecutability<Selected = Executability>({
  quote,
  request,
  needed,
  query = {},
}: ExecutabilityParameters<Selected>): ExecutabilityReading<Selected> {
  const { config } = useService()
  const { chainId, contracts } = config
  const { quoteMarket, interestRatePool } = contracts
  const block = useBlock()
  const { poolId, seriesKey, expiry, notional, maxVrtAmount } = request
  const { enabled = true, select = (verdict) => verdict as Selected } = query
  const { data, error } = useChainQuery(
    [
      'executability',
      // The key omits the block; otherwise, a read slower than the block time would never be shown.
      { chainId, quoteMarket, interestRatePool },
      hashQuote(quote, { chainId, quoteMarket }),
      { poolId, seriesKey, expiry, notional: notional.toString(), maxVrtAmount: maxVrtAmount?.toString() },
      needed?.toString(),
    ],
    async (client) => {
      const readAt = serverNow()
      const verdict = await checkExecutability(quote, {
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
    {
      enabled: enabled && block.data !== undefined,
      select: ({ verdict, readAt }) => ({ data: select(verdict), readAt }),
      refetchInterval: ({ state }) => rereadAfter(state.data?.verdict.block, block.data, state.error !== null),
      // Do not show a result from an earlier visit.
      gcTime: 0,
      retry: false,
    },
  )
  const now = useServerNow()
  const failure = error ?? block.error
  if (enabled && failure) return { data: undefined, error: failure, isPending: false }
  if (enabled && data && isFresh(data.readAt, now)) return { data: data.data, error: null, isPending: false }
  return { data: undefined, error: null, isPending: true }
}
