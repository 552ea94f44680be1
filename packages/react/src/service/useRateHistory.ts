import type { BaseError, RateHistory } from '@firmquote/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { type Hex, zeroHash } from 'viem'
import { rateHistoryQuery } from './queries.ts'
import { useService } from './serviceContext.ts'
import { type QueryParameter, useServiceQuery } from './useServiceQuery.ts'

/**
 * Reads a pool's floating and fixed rates over the last 365 days, oldest first. Rates are in percent and
 * times are in Unix seconds. Unknown points are omitted.
 *
 * @param parameters.poolId Undefined disables the query.
 * @example
 * ```tsx
 * const { data } = useRateHistory({ poolId })
 * const yearAgo = data?.floating[0]?.apr
 * ```
 */
export function useRateHistory<Selected = RateHistory>({
  poolId,
  query,
}: { poolId?: Hex | undefined } & QueryParameter<RateHistory, Selected>): UseQueryResult<Selected, BaseError> {
  const { client } = useService()
  return useServiceQuery(rateHistoryQuery(client, poolId ?? zeroHash), query, poolId !== undefined)
}
