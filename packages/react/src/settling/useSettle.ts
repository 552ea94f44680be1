import type { AccountPositions } from '@firmquote/sdk'
import { createJob } from '@firmquote/sdk/jobs'
import { useQuery } from '@tanstack/react-query'
import { zeroAddress } from 'viem'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useChain } from '../chain/useChain.ts'
import { NotReadyError } from '../errors.ts'
import type { JobPlanner } from '../jobs/liveJobs.ts'
import { isNewerThan, isTransactionPending, type Transaction, transactionOf } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'
import { positionQuery } from '../service/findPosition.ts'
import { positionsQuery } from '../service/queries.ts'
import { useService } from '../service/serviceContext.ts'
import { nextSettleStep, type SettleStep } from './settleStep.ts'
import { useRefetchPositions } from './useRefetchPositions.ts'

/** The next settlement step, and functions to perform it. */
export type SettleResult = {
  state: SettleStep
  /** The account's open positions, or only the requested one, from the service's last response. */
  data: AccountPositions | undefined
  transaction: Transaction
  /** Whether a transaction is pending, or confirmed but not yet reflected in the service's data. */
  isPending: boolean
  /** Whether `mutate` can send a transaction now. */
  isReady: boolean
  /** Why the positions could not be read or the last transaction was not sent. */
  error: Error | null
  /** Like {@link SettleResult.mutateAsync}, but reports failures only through `error`. */
  mutate(): void
  /**
   * Sends the current step: one call, or all calls as a batch. Resolves once the wallet has accepted the request.
   * `transaction` tracks the outcome.
   *
   * @throws {NotReadyError} if nothing can be sent.
   * @throws viem's wallet errors.
   */
  mutateAsync(): Promise<void>
  /** See `giveUp` of `useTransaction`. */
  giveUp(): void
}

/**
 * Settles the connected account's matured positions, as borrower or maker, and withdraws its credits. Each call needs
 * its own confirmation, unless the wallet supports atomic batches (EIP-5792). The service reports which positions are
 * due. The contract verifies this, and pays withdrawals only to the account.
 *
 * @param only Restricts the hook to one position and to withdrawals of its token. `data` still contains the position
 * after settlement.
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
  const error = data ? null : failure
  const state = nextSettleStep(chain.state, { account: data, error, atomic, contracts })
  const { snapshot, press, giveUp } = useJob((given) => {
    const id = only ? `settle.${only.positionId}.${given.account}` : `settle.${given.account}`
    return createJob({ ...given, id, notional: 0n, limit: null, maxTakes: 0 })
  }, plannerOf(state))
  const transaction: Transaction = snapshot ? transactionOf(snapshot) : { state: 'idle' }

  useRefetchPositions(transaction)

  // The service sees a new block slightly later than the wallet does.
  const isPending =
    snapshot?.job.isRunning === true ||
    isTransactionPending(transaction) ||
    isNewerThan(transaction, data && BigInt(data.block))
  const isReady = 'calls' in state && !isPending && snapshot !== null
  const send = async () => {
    if (!isReady) throw new NotReadyError()
    await press()
  }
  return {
    state,
    data,
    transaction,
    isPending,
    isReady,
    error: error ?? (transaction.state === 'failed' ? transaction.error : null),
    mutate: () => void send().catch(() => {}),
    mutateAsync: send,
    giveUp,
  }
}

function plannerOf(state: SettleStep): JobPlanner {
  return {
    plan({ since }) {
      const calls = 'calls' in state ? state.calls : []
      const forms = calls.slice(0, 1).map((call) => ({ kind: call.purpose as 'settle', quotes: [], calls: [call] }))
      return { block: since, forms, stop: null }
    },
    signed: new Map(),
  }
}
