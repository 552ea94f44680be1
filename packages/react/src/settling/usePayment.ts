import type { FixedPosition } from '@firmquote/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { useChainQuery } from '../chain/useChainQuery.ts'
import type { ChainErrorType } from '../errors.ts'
import { useService } from '../service/serviceContext.ts'
import type { QueryParameter } from '../service/useServiceQuery.ts'
import { type Payment, readPayment } from './readPayment.ts'

/**
 * Reads a settled position's payout and the connected account's withdrawal from the chain, through the account's
 * wallet. `data` is null if the reported transaction did not settle the position.
 *
 * @param parameters.position A settled position. The query is disabled if the position is not settled.
 * @param parameters.credit The account's withdrawable credit in the position's token, raw units. A change
 * triggers another read. Default zero.
 * @example
 * ```tsx
 * const { data: payment } = usePayment({ position })
 *
 * return <p>{payment?.withdrawal ? 'Withdrawn' : 'Not withdrawn yet'}</p>
 * ```
 */
export function usePayment<Selected = Payment | null>({
  position,
  credit = 0n,
  query,
}: { position?: FixedPosition | undefined; credit?: bigint | undefined } & QueryParameter<
  Payment | null,
  Selected,
  ChainErrorType
>): UseQueryResult<Selected, ChainErrorType> {
  const { interestRatePool } = useService().config.contracts
  const { positionId, settlement, loanToken } = position ?? {}
  const transactionHash = settlement?.transactionHash
  const isKnown = transactionHash !== undefined && loanToken !== undefined && positionId !== undefined
  return useChainQuery(
    ['payment', positionId?.toString(), transactionHash, credit.toString()],
    async (client) => {
      if (!isKnown) return null
      const account = client.account.address
      return readPayment(client, { interestRatePool, positionId, transactionHash, account, token: loanToken })
    },
    { staleTime: Number.POSITIVE_INFINITY, ...query, enabled: isKnown && query?.enabled !== false },
  )
}
