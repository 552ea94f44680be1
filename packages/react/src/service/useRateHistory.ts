import type { RateHistory } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Hex, zeroHash } from 'viem'
import { rateHistoryQuery } from './queries.ts'
import { useService } from './serviceContext.ts'

/**
 * Reads a pool's floating and fixed rates over the last 365 days, oldest first. Rates are in percent and
 * times are in Unix seconds. Unknown points are omitted.
 *
 * @param poolId Undefined disables the query.
 * @example
 * ```tsx
 * const { data } = useRateHistory(poolId)
 * const yearAgo = data?.floating[0]?.apr
 * ```
 */
export function useRateHistory(poolId: Hex | undefined): UseQueryResult<RateHistory> {
  const { client } = useService()
  return useQuery({ ...rateHistoryQuery(client, poolId ?? zeroHash), enabled: poolId !== undefined })
}
