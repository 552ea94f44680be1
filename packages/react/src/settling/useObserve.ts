import { type FixedPosition, observeParameters } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { zeroAddress } from 'viem'
import { useChain } from '../chain/useChain.ts'
import { useTransaction } from '../chain/useTransaction.ts'
import { isNewerThan, type Transaction } from '../jobs/transactionOf.ts'
import { positionQuery } from '../service/findPosition.ts'
import { useService } from '../service/serviceContext.ts'
import { useRefetchPositions } from './useRefetchPositions.ts'

/** The observation of a series' index, and functions to send it. */
export type ObserveResult = {
  transaction: Transaction
  /** Whether a transaction is pending, or confirmed but not yet reflected in the service's data. */
  isPending: boolean
  /** Whether `mutate` can send a transaction now. */
  isReady: boolean
  /** Why the last transaction was not sent. */
  error: Error | null
  /** Like {@link ObserveResult.mutateAsync}, but reports failures only through `error`. */
  mutate(): void
  /**
   * Sends the call. Resolves once the wallet has accepted the request. `transaction` tracks the outcome.
   *
   * @throws {NotReadyError} if nothing can be sent.
   * @throws viem's wallet errors.
   */
  mutateAsync(): Promise<void>
  /** See `giveUp` of `useTransaction`. */
  giveUp(): void
}

/**
 * Observes the index of a position's series through the connected wallet. Before the expiry, this stores the reading
 * from which the payout is interpolated. From the expiry on, it creates the checkpoint. The position's `readAt` and
 * `checkpointed` then change. Any account may observe a series; one day before the expiry is early enough.
 *
 * @example
 * ```tsx
 * const { mutate, isReady } = useObserve(position)
 *
 * return <button disabled={!isReady} onClick={mutate}>Record the index</button>
 * ```
 */
export function useObserve({ positionId, seriesKey }: Pick<FixedPosition, 'positionId' | 'seriesKey'>): ObserveResult {
  const { client, config } = useService()
  const chain = useChain()
  const address = chain.state === 'ready' ? chain.client.account.address : undefined
  const { data } = useQuery({
    ...positionQuery(client, address ?? zeroAddress, positionId),
    enabled: address !== undefined,
  })
  const sending = useTransaction(`observe.${seriesKey}`)
  useRefetchPositions(sending.transaction)

  const isPending = sending.isPending || isNewerThan(sending.transaction, data && BigInt(data.block))
  const send = () =>
    sending.mutateAsync(observeParameters({ seriesKey, interestRatePoolAddress: config.contracts.interestRatePool }))
  return {
    ...sending,
    isPending,
    isReady: address !== undefined && !isPending,
    mutate: () => void send().catch(() => {}),
    mutateAsync: send,
  }
}
