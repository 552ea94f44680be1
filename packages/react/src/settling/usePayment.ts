import { ChainUnavailableError, type FixedPosition } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useChain } from '../chain/useChain.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { type Payment, readPayment } from './readPayment.ts'

/**
 * Reads a settled position's payout and the connected account's withdrawal from the chain, through the account's
 * wallet. `data` is null if the reported transaction did not settle the position.
 *
 * @param position A settled position. The query is disabled if the position is not settled.
 * @param credit The account's withdrawable credit in the position's token, raw units. A change triggers another read.
 * @example
 * ```tsx
 * const { data: payment } = usePayment(position, 0n)
 *
 * return <p>{payment?.withdrawal ? 'Withdrawn' : 'Not withdrawn yet'}</p>
 * ```
 */
export function usePayment(position: FixedPosition | undefined, credit: bigint): UseQueryResult<Payment | null> {
  const { interestRatePool } = useService().config.contracts
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { positionId, settlement, loanToken } = position ?? {}
  return useQuery({
    queryKey: [
      ...queryKeys.chain,
      'payment',
      client?.uid,
      client?.account.address,
      positionId?.toString(),
      settlement?.transactionHash,
      credit.toString(),
    ],
    queryFn: async () => {
      if (!client || !settlement || !loanToken || positionId === undefined) {
        throw new ChainUnavailableError('The position is not settled, or no wallet is connected.')
      }
      const { transactionHash } = settlement
      const account = client.account.address
      return readPayment(client, { interestRatePool, positionId, transactionHash, account, token: loanToken })
    },
    enabled: client !== null && settlement !== undefined && loanToken !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
