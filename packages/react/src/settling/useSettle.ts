import type { AccountPositions } from '@firmquote/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { zeroAddress } from 'viem'
import { isNewerThan, type Transaction } from '../chain/transaction.ts'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useChain } from '../chain/useChain.ts'
import { useTransaction } from '../chain/useTransaction.ts'
import { NotReadyError } from '../errors.ts'
import { awaitBlock } from '../service/awaitedBlock.ts'
import { positionQuery } from '../service/findPosition.ts'
import { positionsQuery } from '../service/queries.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { nextSettleStep, type SettleStep } from './settleStep.ts'

/** What can be settled and withdrawn, and a way to do what comes next. */
export type SettleResult = {
  state: SettleStep
  /** The account's open positions, or the one that was asked for, as the service has answered last. */
  data: AccountPositions | undefined
  transaction: Transaction
  /** A transaction is under way, or is confirmed and not known to the service yet. */
  isPending: boolean
  /** Whether `mutate` sends something. */
  isReady: boolean
  /** Why the positions are not known, or why the last transaction was not sent. */
  error: Error | null
  /** As {@link SettleResult.mutateAsync}, with what has failed in `error` alone. */
  mutate(): void
  /**
   * Sends what the state names: one call, or all as one. Resolves as soon as the wallet has taken it; `transaction` says what becomes
   * of it.
   *
   * @throws {NotReadyError} when there is nothing to send now; viem's errors of the wallet.
   */
  mutateAsync(): Promise<void>
  /** As `giveUp` of `useTransaction`. */
  giveUp(): void
}

/**
 * Settles the connected account's matured positions, as borrower or as maker, and withdraws what is credited to it: call by call,
 * or as one confirmation where the wallet sends several calls as one (EIP-5792). What is due is the service's word; the contract has
 * the last one, and pays the account alone.
 *
 * @param only one position: no other is settled, and its token alone is withdrawn. `data` has it also once it is settled.
 * @example
 * ```tsx
 * const { state, mutate, isReady } = useSettle()
 *
 * if (state.step === 'nothing') return null
 * return <button disabled={!isReady} onClick={mutate}>{state.step}</button>
 * ```
 */
export function useSettle(only?: { positionId: bigint }): SettleResult {
  const { client, config } = useService()
  const { contracts } = config
  const chain = useChain()
  const address = chain.state === 'ready' ? chain.client.account.address : undefined
  const all = useQuery({
    ...positionsQuery(client, address ?? zeroAddress),
    enabled: address !== undefined && only === undefined,
  })
  const one = useQuery({
    ...positionQuery(client, address ?? zeroAddress, only?.positionId ?? 0n),
    enabled: address !== undefined && only !== undefined,
  })
  const { data, error: failure } = only ? one : all
  const atomic = useAtomicity()
  const sending = useTransaction(only ? `settle.${address}.${only.positionId}` : `settle.${address}`)
  const { transaction } = sending
  const state = nextSettleStep(chain.state, { account: data, error: data ? null : failure, atomic, contracts })

  const cache = useQueryClient()
  const { state: sent } = transaction
  const endedAt = 'block' in transaction ? transaction.block : null
  // What has failed may have been done by somebody else.
  useEffect(() => {
    if (endedAt !== null) awaitBlock(endedAt)
    if (endedAt !== null || sent === 'failed') void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, sent, endedAt])

  // The service comes to know of a block a moment after the wallet does.
  const isPending = sending.isPending || isNewerThan(transaction, data && BigInt(data.block))
  const calls = 'calls' in state ? state.calls : []
  const isReady = calls.length > 0 && !isPending
  const send = async () => {
    if (!isReady) throw new NotReadyError()
    await sending.mutateAsync(state.step === 'settleTogether' ? calls : calls.slice(0, 1))
  }
  return {
    state,
    data,
    transaction,
    isPending,
    isReady,
    error: (data ? null : failure) ?? sending.error,
    mutate: () => void send().catch(() => {}),
    mutateAsync: send,
    giveUp: sending.giveUp,
  }
}
