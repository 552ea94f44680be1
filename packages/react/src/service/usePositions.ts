import type { AccountPositions, BaseError } from '@firmquote/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { type Address, zeroAddress } from 'viem'
import { positionsQuery } from './queries.ts'
import { useService } from './serviceContext.ts'
import { type QueryParameter, useServiceQuery } from './useServiceQuery.ts'

/**
 * Polls an account's variable-rate debts, open fixed-rate positions and withdrawable credits every 30 seconds. After a
 * take or settlement, polls every second until the response includes the transaction's block. Amounts are in raw units
 * and times are in Unix seconds. All values are from a single block.
 *
 * @param parameters.address The account. Undefined disables the query.
 * @example
 * ```tsx
 * const { data, error, isPending } = usePositions({ address: useConnection().address })
 * const owed = data?.debts.find((debt) => debt.poolId === poolId)?.debt
 * ```
 */
export function usePositions<Selected = AccountPositions>({
  address,
  query,
}: { address?: Address | undefined } & QueryParameter<AccountPositions, Selected>): UseQueryResult<
  Selected,
  BaseError
> {
  const { client } = useService()
  return useServiceQuery(positionsQuery(client, address ?? zeroAddress), query, address !== undefined)
}
