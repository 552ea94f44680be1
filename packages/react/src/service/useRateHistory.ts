import type { RateHistory } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Hex, zeroHash } from 'viem'
import { rateHistoryQuery } from './queries.ts'
import { useService } from './serviceContext.ts'

/**
 * What the floating rate of a pool and its best fixed rates have been in the last 365 days: rates in percent, times in Unix
 * seconds, oldest first. Where nothing was known there is no point.
 *
 * @param poolId undefined asks for nothing yet.
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
