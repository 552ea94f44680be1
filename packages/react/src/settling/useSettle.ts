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

/** The next settlement step, and functions to execute it. */
export type SettleResult = {
  state: SettleStep
  /** The account's open positions, or the requested one, from the service's last answer. */
  data: AccountPositions | undefined
  transaction: Transaction
  /** Whether a transaction is pending, or confirmed but not yet known to the service. */
  isPending: boolean
  /** Whether `mutate` can send something. */
  isReady: boolean
  /** Why the positions are unknown, or why the last transaction was not sent. */
  error: Error | null
  /** Like {@link SettleResult.mutateAsync}, with failures only in `error`. */
  mutate(): void
  /**
   * Sends the current step: one call, or all as a batch. Resolves when the wallet has accepted it. `transaction` tracks
   * the outcome.
   *
   * @throws {NotReadyError} if nothing can be sent now. Otherwise viem's wallet errors.
   */
  mutateAsync(): Promise<void>
  /** See `giveUp` of `useTransaction`. */
  giveUp(): void
}

/**
 * Settles the connected account's matured positions, as borrower or maker, and withdraws its credits: call by call, or
 * with one confirmation if the wallet supports atomic batches (EIP-5792). The service reports what is due. The contract
 * verifies it, and pays only the account.
 *
 * @param only One position: the hook settles no other, and withdraws only its token. `data` contains it even after the
 * settlement.
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
  // The call may have failed because another account did the same before.
  useEffect(() => {
    if (endedAt !== null) awaitBlock(endedAt)
    if (endedAt !== null || sent === 'failed') void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, sent, endedAt])

  // The service learns of a block a moment after the wallet.
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
