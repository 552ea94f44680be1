import {
  type AccountPositions,
  maxSettlements,
  type Repayment,
  readSettlement,
  type SettlementReading,
} from '@firmquote/sdk'
import { createJob, type Job } from '@firmquote/sdk/jobs'
import { type Address, type Client, type Log, zeroAddress } from 'viem'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useChain, useWallet } from '../chain/useChain.ts'
import { useChainQuery } from '../chain/useChainQuery.ts'
import { NotReadyError } from '../errors.ts'
import { type ActionResult, actionOf } from '../jobs/action.ts'
import type { JobPlanner } from '../jobs/liveJobs.ts'
import { isNewerThan, isTransactionPending } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'
import { positionQuery } from '../service/findPosition.ts'
import { positionsQuery } from '../service/queries.ts'
import { useService } from '../service/serviceContext.ts'
import { useRefetchPositions } from '../service/useRefetchPositions.ts'
import { useServiceQuery } from '../service/useServiceQuery.ts'
import { nextSettleStep, planSettle, type SettleStep } from './settleStep.ts'

/** What to settle, and whether to repay debt. */
export type SettleParameters = {
  /** Restricts the hook to one position and to withdrawals of its token. Its payout must not have been used yet. */
  positionId?: bigint | undefined
  /** Whether to repay debt in the positions' lending markets with their payouts. Default false. */
  repay?: boolean | undefined
  /** The only lender to repay. Default: Morpho Blue of the production deployment. */
  lenderAddress?: Address | undefined
}

/** The next settlement step, and functions to perform all of them. */
export type SettleResult = ActionResult & {
  state: SettleStep
  /** The account's open positions, or only the requested one, from the service's last response. */
  data: AccountPositions | undefined
  /** The positions, credits and debts on the chain. Undefined until read. */
  reading: SettlementReading | undefined
  /** The debts that can be repaid, whether or not `repay` is set. A plan after the press decides the amounts. */
  repayments: readonly Repayment[]
  /** Positions whose payouts can repay debt only once `mutate` has created their checkpoints. */
  deferred: readonly bigint[]
  /** The logs of all transactions since the page was loaded. See `withdrawnAmount` and `repaidAmount`. */
  logs: readonly Log[]
  /** Whether `mutate` can ask the wallet now. */
  isReady: boolean
}

/**
 * Settles the connected account's matured positions, as borrower or maker, withdraws its credits, and repays debt with
 * the payouts if asked to. One `mutate` does all of it. Each call needs its own confirmation, unless the wallet supports
 * atomic batches (EIP-5792). The service names the positions, and the chain decides what is due. Withdrawals are paid
 * only to the account.
 *
 * If a batch with a repayment reverts, the hook continues one by one. If a repayment reverts alone, it continues without
 * repaying. It stops when the user rejects a call, or when the account or the chain changes.
 *
 * @example
 * ```tsx
 * const { state, mutate, isReady } = useSettle({ repay: true })
 *
 * if (state.step === 'nothing') return null
 * return <button disabled={!isReady} onClick={mutate}>{state.step}</button>
 * ```
 */
export function useSettle({ positionId, repay = false, lenderAddress }: SettleParameters = {}): SettleResult {
  const { client, config } = useService()
  const { interestRatePool: interestRatePoolAddress } = config.contracts
  const chain = useChain()
  const address = useWallet()?.account.address
  const account = address ?? zeroAddress
  const { data, error: failure } = useServiceQuery(
    positionId === undefined ? positionsQuery(client, account) : positionQuery(client, account, positionId),
    undefined,
    address !== undefined,
  )
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
    return readSettlement(through, { account, positionIds, tokens, interestRatePoolAddress, lenderAddress, since })
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
  const run = useJob((given) => {
    const id = [positionId === undefined ? 'settle' : `settle.${positionId}`, given.account].join('.')
    return createJob({ ...given, id, notional: 0n, limit: null, maxTakes: 0 })
  }, planner)
  const { snapshot, transaction, press } = run
  const job = snapshot?.job

  useRefetchPositions(transaction)

  const since = job?.since ?? 0n
  const onChain = useChainQuery<SettlementReading>(
    [
      'settlement',
      { positionId: positionId?.toString(), since: since.toString(), lenderAddress },
      data?.block,
      named.map((position) => position.positionId.toString()),
    ],
    async (wallet) => {
      if (!job) throw new NotReadyError()
      return read(wallet, job)
    },
    {
      enabled: job !== undefined && data !== undefined,
      placeholderData: (previous) => (previous?.account === address ? previous : undefined),
    },
  )
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
    ...actionOf(run, send, { isPending, job, error }),
    ...{ state, data, reading, repayments, deferred, isReady },
    logs: [...(snapshot?.receipts.values() ?? [])].flatMap(({ logs }) => logs),
  }
}
