import type { Hex, Log } from 'viem'
import { TransactionReplacedError } from '../errors.ts'

/** The state of one transaction. */
export type Transaction =
  | { state: 'idle' }
  /** Waiting for the user to confirm in the wallet. */
  | { state: 'asking' }
  /** The wallet accepted the transaction as a batch of calls. The batch's transaction hash is not known yet. */
  | { state: 'called'; id: string }
  /** Sent to the network. */
  | { state: 'sent'; hash: Hex }
  | { state: 'confirmed'; hash: Hex; block: bigint; logs: readonly Log[] }
  /** Mined, but reverted. */
  | { state: 'reverted'; hash: Hex; block: bigint }
  /**
   * The transaction was not sent, or its outcome is unknown. `sentAs` is the transaction's hash or the batch's id, or
   * null if nothing was sent.
   */
  | { state: 'failed'; error: Error; sentAs: string | null }

/** A transaction event. */
export type TransactionEvent =
  | { type: 'asked' }
  /** The app stopped waiting for the wallet's response. */
  | { type: 'givenUp' }
  | { type: 'called'; id: string }
  | { type: 'sent'; hash: Hex }
  /** The wallet dropped the batch. It will never be mined. */
  | { type: 'dropped'; error: Error }
  /** The user replaced the transaction in the wallet, with the same one at a higher fee or with a different one. */
  | { type: 'replaced'; hash: Hex; by: Hex; same: boolean }
  | { type: 'mined'; hash: Hex; ok: boolean; block: bigint; logs: readonly Log[] }
  | { type: 'failed'; error: Error }

/** Returns the next state. Ignores `mined` and `replaced` events for transactions other than the pending one. Pure. */
export function stepTransaction(transaction: Transaction, event: TransactionEvent): Transaction {
  switch (event.type) {
    case 'asked':
      return isTransactionPending(transaction) ? transaction : { state: 'asking' }
    case 'givenUp':
      return transaction.state === 'asking' ? { state: 'idle' } : transaction
    case 'called':
      return { state: 'called', id: event.id }
    case 'sent':
      return { state: 'sent', hash: event.hash }
    case 'dropped':
      return { state: 'failed', error: event.error, sentAs: null }
    case 'replaced': {
      if (transaction.state !== 'sent' || transaction.hash !== event.hash) return transaction
      if (event.same) return { state: 'sent', hash: event.by }
      return { state: 'failed', error: new TransactionReplacedError(), sentAs: null }
    }
    case 'mined': {
      const { hash, ok, block, logs } = event
      if (transaction.state !== 'sent' || transaction.hash !== hash) return transaction
      return ok ? { state: 'confirmed', hash, block, logs } : { state: 'reverted', hash, block }
    }
    case 'failed':
      return { state: 'failed', error: event.error, sentAs: sentAs(transaction) }
  }
}

/** The transaction's hash or the batch's id, or null before it is sent. */
function sentAs(transaction: Transaction): string | null {
  if (transaction.state === 'called') return transaction.id
  return transaction.state === 'sent' ? transaction.hash : null
}

/** Whether a transaction is pending, in which case no other can be sent. */
export function isTransactionPending({ state }: Transaction): boolean {
  return state === 'asking' || state === 'called' || state === 'sent'
}

/**
 * Whether a transaction was mined after the last chain read, so that the data is out of date.
 *
 * @param readAt The block of the reading, or undefined if there is none.
 */
export function isNewerThan(transaction: Transaction, readAt: bigint | undefined): boolean {
  return transaction.state === 'confirmed' && (readAt === undefined || readAt < transaction.block)
}
