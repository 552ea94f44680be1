import type { RFQ } from '@firmquote/core'
import type { Count, OpenTotals, QuotaRejection, RequestedSlot } from '../domain/quotas.ts'

/** A place among the open auctions. */
export type Slot = {
  /** Whether the taker's debt covers the RFQ: its notional of it is reserved until the release. */
  verified: boolean
  /** Ends its count; further calls do nothing. */
  release(): void
  /**
   * Nobody follows the auction any more: it runs on among the abandoned ones, if there is room, and its place among the open
   * ones is free. Its requester's own count goes on. Resolves with whether its place is free now, and was not before; never
   * rejects.
   */
  abandon(): Promise<boolean>
}

/** One check of a contract's signature. */
export type AdmittedCheck = {
  /** It has not failed: it does not count. */
  giveBack(): void
}

/**
 * What is counted by requester and by sender, over all instances that share the quotas. Simultaneous requests cannot all be the last one
 * admitted, wherever they are asked. What counts is decided by the pure functions of `domain/quotas.ts`.
 *
 * Each method throws {@link StorageUnavailableError} where it cannot be counted: nothing is admitted then.
 */
export type Quotas = {
  /**
   * Admits one auction if every count has room, or says why not.
   *
   * @param keptMs after so many milliseconds the place ends by itself, should nobody release it: its instance may have died.
   */
  admit(
    asked: RequestedSlot,
    keptMs: number,
  ): Promise<{ ok: true; slot: Slot } | { ok: false; rejection: QuotaRejection }>
  /**
   * Reserves for an auction that was opened by an earlier process what its row says was judged there. Where instances share the
   * quotas its place is known, and nothing is reserved twice.
   */
  restore(rfq: Pick<RFQ, 'poolId' | 'taker' | 'takerVerified' | 'notional'>): () => void
  /** Counts one check of a proof, which costs a signature and a reading of the chain; or says why it is not made. */
  spendProof(counts: readonly Count[]): Promise<QuotaRejection | null>
  /** How many auctions have a place now. */
  totals(): Promise<OpenTotals>
  /**
   * Admits one check of a contract's signature, or says in how many seconds to come back. It counts as failed until it is given
   * back, so that a sender has no more under way than may fail.
   */
  admitCheck(sender: string): Promise<({ ok: true } & AdmittedCheck) | { ok: false; retryAfterSeconds: number }>
}
