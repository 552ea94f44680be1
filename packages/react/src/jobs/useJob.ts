import type { Job } from '@firmquote/sdk/jobs'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useWallet } from '../chain/useChain.ts'
import { NotReadyError } from '../errors.ts'
import { useService } from '../service/serviceContext.ts'
import { type Consent, findJob, type JobPlanner, type LiveJob, type LiveSnapshot } from './liveJobs.ts'
import { type Transaction, transactionOf } from './transactionOf.ts'

/** A job in a view. */
export type JobResult = {
  /** Null while no wallet is ready. */
  snapshot: LiveSnapshot | null
  /** The pending transaction, or else the last one. */
  transaction: Transaction
  /** Returns the latest `snapshot`, which may be newer than the last render's. */
  read(): LiveSnapshot | null
  /**
   * Agrees to the job and runs it.
   *
   * @throws {NotReadyError} if no wallet is ready.
   * @throws {AccountBusyError} if another request of the account is running, in this tab or another.
   * @throws the wallet's error, if the last request failed.
   */
  press(consent?: Consent): Promise<void>
  /** Stops waiting for a silent wallet. What it was asked for stays open until the chain decides. */
  giveUp(): void
  /** Forgets how the last request ended, unless its outcome is unknown. */
  reset(): void
}

const none = () => null
const never = () => () => {}

/**
 * Connects a view to a job of the connected account. The job outlives the view, and a reload.
 *
 * @param create Creates the job if this browser has none with its id.
 * @param planner Plans the job's requests. The latest render's planner applies.
 * @param block The latest block, at which open quotes are read again.
 */
export function useJob(
  create: (given: Pick<Job, 'account' | 'chainId'>) => Job,
  planner: JobPlanner,
  block?: bigint,
): JobResult {
  const { client: service, config } = useService()
  const { chainId, contracts } = config
  const client = useWallet()
  const account = client?.account.address
  // A view keeps its job while the wallet is locked or elsewhere.
  const last = useRef<LiveJob | null>(null)
  if (account !== undefined) last.current = findJob(create({ account, chainId }))
  const job = last.current
  const read = job?.read ?? none
  const snapshot = useSyncExternalStore(job?.subscribe ?? never, read, none)
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = contracts
  const [view] = useState({})
  useEffect(() =>
    job?.surround(view, {
      client,
      contracts: { quoteMarketAddress, interestRatePoolAddress },
      service,
      planner,
      block,
    }),
  )
  useEffect(() => () => job?.leave(view), [job, view])
  const press = useCallback(
    async (consent: Consent = {}) => {
      if (!job) throw new NotReadyError()
      await job.press(view, consent)
      const transaction = transactionOf(job.read())
      if (transaction.state === 'failed') throw transaction.error
    },
    [job, view],
  )
  const transaction: Transaction = snapshot ? transactionOf(snapshot) : { state: 'idle' }
  return { snapshot, transaction, read, press, giveUp: job?.giveUp ?? never, reset: job?.reset ?? never }
}
