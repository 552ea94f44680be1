import type { Hex, Log } from 'viem'
import { TransactionReplacedError } from '../errors.ts'

/** Where one transaction stands. */
export type Transaction =
  | { state: 'idle' }
  /** The wallet shows it to its owner. */
  | { state: 'asking' }
  /** The wallet sends it as several calls in one; it is not known yet in which transaction. */
  | { state: 'called'; id: string }
  /** On its way. */
  | { state: 'sent'; hash: Hex }
  | { state: 'confirmed'; hash: Hex; block: bigint; logs: readonly Log[] }
  /** In a block, without effect. */
  | { state: 'reverted'; hash: Hex; block: bigint }
  /** Not sent, or nothing is known any more of what was sent under a hash, or under the wallet's id of the calls. */
  | { state: 'failed'; error: Error; sentAs: string | null }

/** What can happen to it. */
export type TransactionEvent =
  | { type: 'asked' }
  /** Nobody waits any more for the wallet's answer. */
  | { type: 'givenUp' }
  | { type: 'called'; id: string }
  | { type: 'sent'; hash: Hex }
  /** The wallet has given its calls up: they are in no block, and will not be. */
  | { type: 'dropped'; error: Error }
  /** Its owner has sent another one in its place: the same for a higher fee, or something else. */
  | { type: 'replaced'; hash: Hex; by: Hex; same: boolean }
  | { type: 'mined'; hash: Hex; ok: boolean; block: bigint; logs: readonly Log[] }
  | { type: 'failed'; error: Error }

/** The next state. Pure; news of another transaction than the one under way is ignored. */
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

/** What it can be found again by; null before it is on its way. */
function sentAs(transaction: Transaction): string | null {
  if (transaction.state === 'called') return transaction.id
  return transaction.state === 'sent' ? transaction.hash : null
}

/** Whether another one must wait. */
export function isTransactionPending({ state }: Transaction): boolean {
  return state === 'asking' || state === 'called' || state === 'sent'
}

/**
 * Whether a reading of the chain knows nothing of it yet: what was read to be missing may be there since.
 *
 * @param readAt the block of the reading.
 */
export function isNewerThan(transaction: Transaction, readAt: bigint | undefined): boolean {
  return transaction.state === 'confirmed' && (readAt === undefined || readAt < transaction.block)
}
