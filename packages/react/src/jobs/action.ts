import type { Job } from '@firmquote/sdk/jobs'
import type { ChainErrorType } from '../errors.ts'
import type { Transaction } from './transactionOf.ts'
import type { JobResult } from './useJob.ts'

/** How the last `mutate` stands, as in TanStack Query's mutations. A reload keeps it. */
export type ActionStatus = 'idle' | 'pending' | 'success' | 'error'

/** The result of every hook that sends transactions. `Given` are the arguments of its functions. */
export type ActionResult<Given extends readonly unknown[] = []> = {
  /** The pending transaction, or else the last one. */
  transaction: Transaction
  /**
   * How the last `mutate` stands. `success` once everything is done, and `error` after a failure or a revert, or if the
   * hook stopped before. A revert has no `error` object.
   */
  status: ActionStatus
  /**
   * Whether a request is pending, or its transaction is confirmed but not yet seen by the hook's reads. `mutate` is then
   * not possible.
   */
  isPending: boolean
  /**
   * Why the hook's reads failed, or why the last transaction was not sent or has an unknown outcome. One of viem's
   * errors or of Firmquote's. A revert is not an error.
   */
  error: ChainErrorType | null
  /** Like `mutateAsync`, but reports failures only through `error`. */
  mutate(...given: Given): void
  /**
   * Asks the wallet. Resolves once nothing is pending.
   *
   * @throws {NotReadyError} if nothing can be sent.
   * @throws {AccountBusyError} if another request of the account is running, in this tab or another.
   * @throws viem's wallet errors.
   */
  mutateAsync(...given: Given): Promise<void>
  /**
   * Stops waiting for an unresponsive wallet, so that a new request can be sent. If the user later confirms both
   * requests to take a quote, the contract takes it once.
   */
  giveUp(): void
  /**
   * Returns to `idle` by forgetting how the last request ended. Does nothing while a request is pending or its outcome
   * is unknown. Never forgets quotes that the account has taken or may have taken.
   */
  reset(): void
}

/**
 * Completes the result of a hook that runs a job. Pure.
 *
 * @param known.job The job, if a confirmed transaction is not its end.
 * @param known.error Why the hook's reads failed.
 */
export function actionOf<Given extends readonly unknown[]>(
  { transaction, giveUp, reset }: Pick<JobResult, 'transaction' | 'giveUp' | 'reset'>,
  mutateAsync: (...given: Given) => Promise<void>,
  known: { isPending: boolean; job?: Job | undefined; error?: ChainErrorType | null },
): ActionResult<Given> {
  const { isPending, error } = known
  return {
    transaction,
    status: actionStatus(transaction, known),
    isPending,
    error: error ?? (transaction.state === 'failed' ? transaction.error : null),
    mutate: (...given) => void mutateAsync(...given).catch(() => {}),
    mutateAsync,
    giveUp,
    // A confirmed transaction keeps `isPending` set until it has been read.
    reset: () => void (isPending || reset()),
  }
}

/** Summarizes a job's last `mutate`. Pure. */
export function actionStatus(
  { state }: Transaction,
  { isPending, job }: { isPending: boolean; job?: Pick<Job, 'phase' | 'open'> | undefined },
): ActionStatus {
  if (isPending) return 'pending'
  if (state === 'failed' || state === 'reverted' || job?.phase.name === 'stopped') return 'error'
  if (job?.open.some(({ isRefused }) => !isRefused)) return 'pending'
  return state === 'confirmed' && (!job || job.phase.name === 'done') ? 'success' : 'idle'
}
