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
  | { type: 'mined'; hash: Hex; ok: boolean; block: bigint; logs: readonly Log[] }
  | { type: 'failed'; error: Error }

/** The next state. Pure; news of another transaction than the one under way is ignored. */
export function stepTransaction(transaction: Transaction, event: TransactionEvent): Transaction {
  switch (event.type) {
    case 'asked':
      return isUnderWay(transaction) ? transaction : { state: 'asking' }
    case 'sent':
      return { state: 'sent', hash: event.hash }
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
