import type { TakeCall } from '@firmquote/sdk/jobs'
import { createJob } from '@firmquote/sdk/jobs'
import { useMemo, useRef } from 'react'
import { type Abi, type Address, type EncodeFunctionDataParameters, encodeFunctionData } from 'viem'
import { NotReadyError } from '../errors.ts'
import { type ActionResult, actionOf } from '../jobs/action.ts'
import type { JobCall } from '../jobs/askWallet.ts'
import type { JobPlanner } from '../jobs/liveJobs.ts'
import { isTransactionPending, transactionOf } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'

/** An encoded call from `takeCalls`, or a contract call from an SDK `…Parameters` function. */
export type TransactionCall =
  | Pick<TakeCall, 'to' | 'data' | 'value'>
  | { address: Address; abi: Abi | readonly unknown[]; functionName: string; args: readonly unknown[] }

/** A transaction, and functions to send it: one call, or several as an atomic batch (EIP-5792). */
export type TransactionResult = ActionResult<[calls: TransactionCall | readonly TransactionCall[]]>

/**
 * Sends one transaction through the connected wallet and tracks it until it is mined, even across reloads.
 *
 * @param parameters.key Storage key, for each account.
 * @example
 * ```tsx
 * const { transaction, mutate } = useTransaction({ key: `settle.${positionId}` })
 *
 * <button onClick={() => mutate(settleParameters({ positionId }))}>Settle</button>
 * {transaction.state === 'confirmed' && <p>In block {transaction.block.toString()}</p>}
 * ```
 */
export function useTransaction({ key }: { key: string }): TransactionResult {
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
  const job = useJob(
    (given) => createJob({ ...given, id: `${key}.${given.account}`, notional: 0n, limit: null, maxTakes: 0 }),
    planner,
  )
  const { read, press, transaction } = job
  const mutateAsync = async (calls: TransactionCall | readonly TransactionCall[]) => {
    // A second click can arrive before the first one's state change has rendered.
    const latest = read()
    if (!latest || isTransactionPending(transactionOf(latest))) throw new NotReadyError()
    const several = isSeveral(calls) ? calls : [calls]
    wanted.current = { calls: several.map(encode), after: latest.job.attempts }
    await press()
  }
  return actionOf(job, mutateAsync, { isPending: isTransactionPending(transaction) })
}

function isSeveral(calls: TransactionCall | readonly TransactionCall[]): calls is readonly TransactionCall[] {
  return Array.isArray(calls)
}

function encode(call: TransactionCall): JobCall {
  if ('to' in call) return call
  return { to: call.address, data: encodeFunctionData(call as EncodeFunctionDataParameters), value: 0n }
}
