import type { Hex, Log } from 'viem'
import { type ChainErrorType, TransactionReplacedError } from '../errors.ts'
import type { LiveSnapshot } from './liveJobs.ts'

/** The state of a job's current request, or else of its last one. */
export type Transaction =
  | { state: 'idle' }
  /** Waiting for the user to confirm in the wallet. */
  | { state: 'asking' }
  /** The wallet accepted the request as a batch of calls. The batch's transaction hash is not known yet. */
  | { state: 'called'; id: string }
  /** Sent to the network. */
  | { state: 'sent'; hash: Hex }
  | { state: 'confirmed'; hash: Hex; block: bigint; logs: readonly Log[] }
  /** Mined, but reverted. */
  | { state: 'reverted'; hash: Hex; block: bigint }
  /**
   * The request was not sent, or its outcome is unknown. `sentAs` is the transaction's hash or the batch's id, or null
   * if nothing was sent.
   */
  | { state: 'failed'; error: ChainErrorType; sentAs: string | null }

/** Whether a transaction is pending, in which case no other can be sent. */
export function isTransactionPending({ state }: Transaction): boolean {
  return state === 'asking' || state === 'called' || state === 'sent'
}

/** Describes a job's request. Pure. */
export function transactionOf({ job, error, receipts, blocked }: LiveSnapshot): Transaction {
  if (blocked) return { state: 'failed', error: blocked, sentAs: null }
  const { attempt, last } = job
  const { stage } = attempt ?? {}
  switch (stage?.name) {
    case 'asked':
      return { state: 'asking' }
    case 'called':
      return { state: 'called', id: stage.id }
    case 'sent':
      return { state: 'sent', hash: stage.hash }
  }
  if (!last) return { state: 'idle' }
  const { how, block } = last
  const sent = last.attempt.stage
  const hash = sent.name === 'sent' ? sent.hash : null
  switch (how) {
    case 'mined':
      if (hash === null || block === null) return { state: 'idle' }
      return { state: 'confirmed', hash, block, logs: receipts.get(hash)?.logs ?? [] }
    case 'reverted':
      return hash === null || block === null ? { state: 'idle' } : { state: 'reverted', hash, block }
    case 'replaced':
      return { state: 'failed', error: new TransactionReplacedError(), sentAs: null }
    case 'refused':
    case 'failed':
    case 'wouldRevert':
      if (!error) return { state: 'idle' }
      return { state: 'failed', error: error as ChainErrorType, sentAs: sent.name === 'called' ? sent.id : hash }
    default:
      return { state: 'idle' }
  }
}

/**
 * Whether a transaction was mined after the last chain read, so that the data is out of date.
 *
 * @param readAt The block of the reading, or undefined if there is none.
 */
export function isNewerThan(transaction: Transaction, readAt: bigint | undefined): boolean {
  return transaction.state === 'confirmed' && (readAt === undefined || readAt < transaction.block)
}
