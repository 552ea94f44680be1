import {
  type AccountPositions,
  maxSettlements,
  type Repayment,
  readSettlement,
  type SettlementReading,
} from '@firmquote/sdk'
import { createJob, type Job } from '@firmquote/sdk/jobs'
import { useQuery } from '@tanstack/react-query'
import { type Client, type Log, zeroAddress } from 'viem'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useChain } from '../chain/useChain.ts'
import { NotReadyError } from '../errors.ts'
import type { JobPlanner } from '../jobs/liveJobs.ts'
import { isNewerThan, isTransactionPending, type Transaction, transactionOf } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'
import { positionQuery } from '../service/findPosition.ts'
import { positionsQuery } from '../service/queries.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { nextSettleStep, planSettle, type SettleStep } from './settleStep.ts'
import { useRefetchPositions } from './useRefetchPositions.ts'

/** What to settle, and whether to repay debt. */
export type SettleParameters = {
  /** Restricts the hook to one position and to withdrawals of its token. Its payout must not have been used yet. */
  positionId?: bigint | undefined
  /** Whether to repay debt in the positions' lending markets with their payouts. Default false. */
  repay?: boolean | undefined
}

/** The next settlement step, and functions to perform all of them. */
export type SettleResult = {
  state: SettleStep
  /** The account's open positions, or only the requested one, from the service's last response. */
  data: AccountPositions | undefined
  /** The positions, credits and debts on the chain. Undefined until read. */
  reading: SettlementReading | undefined
  /** The debts that can be repaid, whether or not `repay` is set. A plan after the press decides the amounts. */
  repayments: readonly Repayment[]
  /** Positions whose payouts can repay debt only once `mutate` has created their checkpoints. */
  deferred: readonly bigint[]
  /** The pending transaction, or else the last one. */
  transaction: Transaction
  /** The logs of all transactions since the page was loaded. See `withdrawnAmount` and `repaidAmount`. */
  logs: readonly Log[]
  /** Whether the settlement is running, or a transaction is confirmed but not yet reflected in the data. */
  isPending: boolean
  /** Whether `mutate` can ask the wallet now. */
  isReady: boolean
  /** Why the positions could not be read or the last transaction was not sent. */
  error: Error | null
  /** Like {@link SettleResult.mutateAsync}, but reports failures only through `error`. */
  mutate(): void
  /**
   * Asks the wallet for each remaining call, or for all of them as a batch, until nothing is left to do. If a batch
   * with a repayment reverts, continues one by one. If a repayment reverts alone, continues without repaying. Stops when the user rejects a call, or when the account or the chain changes.
   * Resolves once it has stopped.
   *
   * @throws {NotReadyError} if nothing can be sent.
   * @throws {AccountBusyError} if another request of the account is running, in this tab or another.
   * @throws viem's wallet errors.
   */
  mutateAsync(): Promise<void>
  /** Stops waiting for an unresponsive wallet, so that a new request can be sent. */
  giveUp(): void
}

/**
 * Settles the connected account's matured positions, as borrower or maker, withdraws its credits, and repays debt with
 * the payouts if asked to. One `mutate` does all of it. Each call needs its own confirmation, unless the wallet supports
 * atomic batches (EIP-5792). The service names the positions, and the chain decides what is due. Withdrawals are paid
 * only to the account.
 *
 * @example
 * ```tsx
 * const { state, mutate, isReady } = useSettle({ repay: true })
 *
 * if (state.step === 'nothing') return null
 * return <button disabled={!isReady} onClick={mutate}>{state.step}</button>
 * ```
 */
export function useSettle({ positionId, repay = false }: SettleParameters = {}): SettleResult {
  const { client, config } = useService()
  const { interestRatePool: interestRatePoolAddress } = config.contracts
  const chain = useChain()
  const wallet = chain.state === 'ready' ? chain.client : null
  const address = wallet?.account.address
  const all = useQuery({
    ...positionsQuery(client, address ?? zeroAddress),
    enabled: address !== undefined && positionId === undefined,
  })
  const one = useQuery({
    ...positionQuery(client, address ?? zeroAddress, positionId ?? 0n),
    enabled: address !== undefined && positionId !== undefined,
  })
  const { data, error: failure } = positionId === undefined ? all : one
  const atomic = useAtomicity()

  const { positions = [], withdrawable = [] } = data ?? {}
  const named = positions.filter(({ settleable }) => settleable || positionId !== undefined)
  const tokens = withdrawable.map(({ token }) => token)
  // The service may report a settled position as due, and not report one that the job has settled.
  const idsFor = ({ payouts }: Pick<Job, 'payouts'>) => [
    ...new Set([...payouts, ...named].map((one) => one.positionId)),
  ]
  const read = (
    through: Client,
    { account, since, ...known }: Pick<Job, 'account' | 'since' | 'payouts'>,
    from = 0,
  ) => {
    const positionIds = idsFor(known).slice(from, from + maxSettlements)
    return readSettlement(through, { account, positionIds, tokens, interestRatePoolAddress, since })
  }
  const planner: JobPlanner = {
    signed: new Map(),
    async plan(job, through) {
      const count = idsFor(job).length
      for (let from = 0; ; from += maxSettlements) {
        const reading = await read(through, job, from)
        const { forms } = planSettle(reading, job, atomic && !job.isApart)
        if (forms.length === 0 && from + maxSettlements < count) continue
        return { block: reading.block.number, forms, stop: null }
      }
    },
  }
  const { snapshot, press, giveUp } = useJob((given) => {
    const id = [positionId === undefined ? 'settle' : `settle.${positionId}`, given.account].join('.')
    return createJob({ ...given, id, notional: 0n, limit: null, maxTakes: 0 })
  }, planner)
  const job = snapshot?.job
  const transaction: Transaction = snapshot ? transactionOf(snapshot) : { state: 'idle' }

  useRefetchPositions(transaction)

  const since = job?.since ?? 0n
  const onChain = useQuery({
    queryKey: [
      ...queryKeys.chain,
      'settlement',
      { uid: wallet?.uid, account: address, positionId: positionId?.toString(), since: since.toString() },
      data?.block,
      named.map((position) => position.positionId.toString()),
    ],
    queryFn: async () => {
      if (!wallet || !job) throw new NotReadyError()
      return read(wallet, job)
    },
    enabled: wallet !== null && job !== undefined && data !== undefined,
    placeholderData: (previous) => (previous?.account === address ? previous : undefined),
  })
  const reading = address === undefined ? undefined : onChain.data
  const plan = (repays: boolean) =>
    job && reading && planSettle(reading, { ...job, repays }, atomic && !(job.isRunning && job.isApart))
  const error = data ? (reading ? null : onChain.error) : failure
  const state = nextSettleStep(chain.state, { plan: plan(repay), error })
  const { repayments = [], deferred = [] } = plan(true) ?? {}
  // The service sees a new block slightly later than the wallet does.
  const isPending =
    job?.isRunning === true ||
    isTransactionPending(transaction) ||
    isNewerThan(transaction, data && BigInt(data.block)) ||
    (reading !== undefined && reading.block.number < since)
  const isReady = 'calls' in state && !isPending
  const send = async () => {
    if (!isReady) throw new NotReadyError()
    await press({ terms: { notional: 0n, limit: null, maxTakes: 0, repays: repay } })
  }
  return {
    ...{ state, data, reading, repayments, deferred, transaction, isPending, isReady },
    logs: [...(snapshot?.receipts.values() ?? [])].flatMap(({ logs }) => logs),
    error: error ?? (transaction.state === 'failed' ? transaction.error : null),
    mutate: () => void send().catch(() => {}),
    mutateAsync: send,
    giveUp,
  }
}
