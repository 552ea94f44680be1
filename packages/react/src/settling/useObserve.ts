import { type FixedPosition, observeParameters } from '@firmquote/sdk'
import { zeroAddress } from 'viem'
import { useWallet } from '../chain/useChain.ts'
import { useTransaction } from '../chain/useTransaction.ts'
import { type ActionResult, actionOf } from '../jobs/action.ts'
import { isNewerThan } from '../jobs/transactionOf.ts'
import { positionQuery } from '../service/findPosition.ts'
import { useService } from '../service/serviceContext.ts'
import { useRefetchPositions } from '../service/useRefetchPositions.ts'
import { useServiceQuery } from '../service/useServiceQuery.ts'

/** The observation of a series' index, and functions to send it. */
export type ObserveResult = ActionResult & {
  /** Whether `mutate` can send a transaction now. */
  isReady: boolean
}

/**
 * Observes the index of a position's series through the connected wallet. Before the expiry, this stores the reading
 * from which the payout is interpolated. From the expiry on, it creates the checkpoint. The position's `readAt` and
 * `checkpointed` then change. Any account may observe a series; one day before the expiry is early enough.
 *
 * @example
 * ```tsx
 * const { mutate, isReady } = useObserve({ positionId, seriesKey })
 *
 * return <button disabled={!isReady} onClick={mutate}>Record the index</button>
 * ```
 */
export function useObserve({ positionId, seriesKey }: Pick<FixedPosition, 'positionId' | 'seriesKey'>): ObserveResult {
  const { client, config } = useService()
  const address = useWallet()?.account.address
  const { data } = useServiceQuery(
    positionQuery(client, address ?? zeroAddress, positionId),
    undefined,
    address !== undefined,
  )
  const sending = useTransaction({ key: `observe.${seriesKey}` })
  const { transaction, mutateAsync } = sending
  useRefetchPositions(transaction)

  const isPending = sending.isPending || isNewerThan(transaction, data && BigInt(data.block))
  const { interestRatePool: interestRatePoolAddress } = config.contracts
  const send = () => mutateAsync(observeParameters({ seriesKey, interestRatePoolAddress }))
  return { ...actionOf(sending, send, { isPending }), isReady: address !== undefined && !isPending }
}
