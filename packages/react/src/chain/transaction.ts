import type { Hex, Log } from 'viem'
import { TransactionReplacedError } from '../errors.ts'

/** The state of one transaction. */
export type Transaction =
  | { state: 'idle' }
  /** The wallet shows it to the user. */
  | { state: 'asking' }
  /** The wallet accepted it as a batch of calls. The transaction is not known yet. */
  | { state: 'called'; id: string }
  /** Sent to the network. */
  | { state: 'sent'; hash: Hex }
  | { state: 'confirmed'; hash: Hex; block: bigint; logs: readonly Log[] }
  /** In a block, but reverted. */
  | { state: 'reverted'; hash: Hex; block: bigint }
  /** Not sent, or its outcome is unknown. `sentAs` is its hash, or the wallet's id of the calls. */
  | { state: 'failed'; error: Error; sentAs: string | null }

/** An event of a transaction. */
export type TransactionEvent =
  | { type: 'asked' }
  /** The app stopped waiting for the wallet's answer. */
  | { type: 'givenUp' }
  | { type: 'called'; id: string }
  | { type: 'sent'; hash: Hex }
  /** The wallet dropped its calls. They will never be in a block. */
  | { type: 'dropped'; error: Error }
  /** The user replaced it in the wallet: by the same transaction with a higher fee, or by a different one. */
  | { type: 'replaced'; hash: Hex; by: Hex; same: boolean }
  | { type: 'mined'; hash: Hex; ok: boolean; block: bigint; logs: readonly Log[] }
  | { type: 'failed'; error: Error }

/** Returns the next state. Ignores events of transactions other than the pending one. Pure. */
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

/** The id for finding it again, or null before it is sent. */
function sentAs(transaction: Transaction): string | null {
  if (transaction.state === 'called') return transaction.id
  return transaction.state === 'sent' ? transaction.hash : null
}

/** Whether the next transaction must wait. */
export function isTransactionPending({ state }: Transaction): boolean {
  return state === 'asking' || state === 'called' || state === 'sent'
}

/**
 * Whether a transaction is newer than a reading of the chain, so that the reading may be outdated.
 *
 * @param readAt The block of the reading.
 */
export function isNewerThan(transaction: Transaction, readAt: bigint | undefined): boolean {
  return transaction.state === 'confirmed' && (readAt === undefined || readAt < transaction.block)
}
