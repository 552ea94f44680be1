import type { TakeCall } from '@firmquote/sdk/jobs'
import { createJob } from '@firmquote/sdk/jobs'
import { useCallback, useMemo, useRef } from 'react'
import { type Abi, type Address, type EncodeFunctionDataParameters, encodeFunctionData } from 'viem'
import { NotReadyError } from '../errors.ts'
import type { JobCall } from '../jobs/askWallet.ts'
import type { JobPlanner } from '../jobs/liveJobs.ts'
import { isTransactionPending, type Transaction, transactionOf } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'

/** An encoded call from `takeCalls`, or a contract call from an SDK `…Parameters` function. */
export type TransactionCall =
  | Pick<TakeCall, 'to' | 'data' | 'value'>
  | { address: Address; abi: Abi | readonly unknown[]; functionName: string; args: readonly unknown[] }

/** A transaction, and functions to send it. */
export type TransactionResult = {
  transaction: Transaction
  /** Whether the transaction is waiting for the wallet or to be mined. */
  isPending: boolean
  /**
   * Why the transaction was not sent, or why its outcome is unknown. One of viem's wallet errors or of this package's
   * errors. A revert is not an error.
   */
  error: Error | null
  /** Like {@link TransactionResult.mutateAsync}, but reports failures only through `error`. */
  mutate(calls: TransactionCall | readonly TransactionCall[]): void
  /**
   * Asks the wallet to send one call, or several as an atomic batch (EIP-5792). Resolves once the transaction has been
   * mined or has failed. `transaction` tracks the outcome.
   *
   * @throws {NotReadyError} if no wallet is connected on the right chain, or a transaction is pending.
   */
  mutateAsync(calls: TransactionCall | readonly TransactionCall[]): Promise<void>
  /** Stops waiting for an unresponsive wallet, so that a new request can be sent. */
  giveUp(): void
}

/**
 * Sends one transaction through the connected wallet and tracks it until it is mined, even across reloads.
 *
 * @param key Storage key, for each account.
 * @example
 * ```tsx
 * const { transaction, mutate } = useTransaction(`settle.${positionId}`)
 *
 * <button onClick={() => mutate(settleParameters({ positionId }))}>Settle</button>
 * {transaction.state === 'confirmed' && <p>In block {transaction.block.toString()}</p>}
 * ```
 */
export function useTransaction(key: string): TransactionResult {
  /** The calls to send, and the number of attempts before them. */
  const wanted = useRef<{ calls: readonly JobCall[]; after: number } | null>(null)
  const planner = useMemo(
    (): JobPlanner => ({
      plan({ since, attempts }) {
        const { calls, after } = wanted.current ?? { calls: [] }
        const forms = after === attempts ? [{ kind: 'call' as const, quotes: [], calls }] : []
        return { block: since, forms, stop: null }
      },
      signed: new Map(),
    }),
    [],
  )
  const { snapshot, read, press, giveUp } = useJob(
    (given) => createJob({ ...given, id: `${key}.${given.account}`, notional: 0n, limit: null, maxTakes: 0 }),
    planner,
  )
  const transaction: Transaction = snapshot ? transactionOf(snapshot) : { state: 'idle' }
  const mutateAsync = useCallback<TransactionResult['mutateAsync']>(
    async (calls) => {
      // A second click can arrive before the first one's state change has rendered.
      const latest = read()
      if (!latest || isTransactionPending(transactionOf(latest))) throw new NotReadyError()
      const several = isSeveral(calls) ? calls : [calls]
      wanted.current = { calls: several.map(encode), after: latest.job.attempts }
      await press()
    },
    [read, press],
  )
  const mutate = useCallback<TransactionResult['mutate']>(
    (calls) => void mutateAsync(calls).catch(() => {}),
    [mutateAsync],
  )
  const error = transaction.state === 'failed' ? transaction.error : null
  return { transaction, isPending: isTransactionPending(transaction), error, mutate, mutateAsync, giveUp }
}

function isSeveral(calls: TransactionCall | readonly TransactionCall[]): calls is readonly TransactionCall[] {
  return Array.isArray(calls)
}

function encode(call: TransactionCall): JobCall {
  if ('to' in call) return call
  return { to: call.address, data: encodeFunctionData(call as EncodeFunctionDataParameters), value: 0n }
}
