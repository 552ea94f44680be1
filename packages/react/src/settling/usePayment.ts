import { ChainUnavailableError, type FixedPosition } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useChain } from '../chain/useChain.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { type Payment, readPayment } from './readPayment.ts'

/**
 * What a settled position has paid and whether the connected account has withdrawn it, read from the chain through its wallet. Null
 * where the transaction that the service names did not settle it.
 *
 * @param position a settled one; nothing is read of any other.
 * @param credit what the account can still withdraw of its token, raw units: read again when that changes.
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
        throw new ChainUnavailableError('There is nothing to read.')
      }
      const { transactionHash } = settlement
      const account = client.account.address
      return readPayment(client, { interestRatePool, positionId, transactionHash, account, token: loanToken })
    },
    enabled: client !== null && settlement !== undefined && loanToken !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
