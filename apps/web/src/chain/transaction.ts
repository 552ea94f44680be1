import type { Hex, Log } from 'viem'

/** Where one transaction stands. */
export type Transaction =
  | { state: 'idle' }
  /** The wallet shows it to its owner. */
  | { state: 'asking' }
  /** On its way. */
  | { state: 'sent'; hash: Hex }
  | { state: 'confirmed'; hash: Hex; block: bigint; logs: readonly Log[] }
  /** In a block, without effect. */
  | { state: 'reverted'; hash: Hex; block: bigint }
  /** Not sent, or nothing is known of it any more. */
  | { state: 'failed'; error: Error; hash: Hex | null }

/** What can happen to it. */
export type TransactionEvent =
  | { type: 'asked' }
  | { type: 'sent'; hash: Hex }
  /** Its owner has sent another one in its place: the same for a higher fee, or something else. */
  | { type: 'replaced'; hash: Hex; by: Hex; same: boolean }
  | { type: 'mined'; hash: Hex; ok: boolean; block: bigint; logs: readonly Log[] }
  | { type: 'failed'; error: Error }

/** The next state. Pure; news of another transaction than the one under way is ignored. */
export function stepTransaction(transaction: Transaction, event: TransactionEvent): Transaction {
  switch (event.type) {
    case 'asked':
      return isUnderWay(transaction) ? transaction : { state: 'asking' }
    case 'sent':
      return { state: 'sent', hash: event.hash }
    case 'replaced': {
      if (transaction.state !== 'sent' || transaction.hash !== event.hash) return transaction
      if (event.same) return { state: 'sent', hash: event.by }
      const error = new Error(
        'You have cancelled or replaced it in your wallet: another transaction went in its place.',
      )
      return { state: 'failed', error, hash: null }
    }
    case 'mined': {
      const { hash, ok, block, logs } = event
      if (transaction.state !== 'sent' || transaction.hash !== hash) return transaction
      return ok ? { state: 'confirmed', hash, block, logs } : { state: 'reverted', hash, block }
    }
    case 'failed':
      return { state: 'failed', error: event.error, hash: transaction.state === 'sent' ? transaction.hash : null }
  }
}

/** Whether another one must wait. */
export function isUnderWay({ state }: Transaction): boolean {
  return state === 'asking' || state === 'sent'
}

/**
 * Whether a reading of the chain knows nothing of it yet: what was read to be missing may be there since.
 *
 * @param readAt the block of the reading.
 */
export function isNewerThan(transaction: Transaction, readAt: bigint | undefined): boolean {
  return transaction.state === 'confirmed' && (readAt === undefined || readAt < transaction.block)
}
