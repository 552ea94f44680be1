import type { AccountPositions } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Address, zeroAddress } from 'viem'
import { positionsQuery } from './queries.ts'
import { useService } from './serviceContext.ts'

/**
 * An account's variable-rate debts, its open fixed-rate positions and what it can withdraw, asked for every thirty seconds, and
 * every second after a take or a settlement until its block is known. Amounts in raw units, times in Unix seconds, all of one block.
 *
 * @param address whose; undefined asks for nothing yet.
 * @example
 * ```tsx
 * const { data, error, isPending } = usePositions(useConnection().address)
 * const owed = data?.debts.find((debt) => debt.poolId === poolId)?.debt
 * ```
 */
export function usePositions(address: Address | undefined): UseQueryResult<AccountPositions> {
  const { client } = useService()
  return useQuery({ ...positionsQuery(client, address ?? zeroAddress), enabled: address !== undefined })
}
