import type { RFQ } from '@firmquote/core'
import type { Count, OpenTotals, QuotaRejection, RequestedSlot } from '../domain/quotas.ts'

/** A slot among the open auctions. */
export type Slot = {
  /** Whether the taker's debt covers the RFQ. If so, its notional is reserved until the release. */
  verified: boolean
  /** Frees the slot; further calls do nothing. */
  release(): void
  /**
   * Marks the auction as abandoned if the limit of abandoned auctions permits. The auction continues and still counts
   * against its requester, but its slot becomes free. The result tells whether this call freed the slot. Never rejects.
   */
  abandon(): Promise<boolean>
}

/** One admitted check of a contract's signature. */
export type AdmittedCheck = {
  /** Reports that the check succeeded, so that it does not count. */
  giveBack(): void
}

/**
 * Counts by requester and by sender across all instances that share the quotas. Concurrent requests never exceed a
 * limit, even on different instances. The pure functions in `domain/quotas.ts` make the decisions.
 *
 * Each method throws {@link StorageUnavailableError}, and admits nothing, if counting fails.
 */
export type Quotas = {
  /**
   * Admits one auction if every count is below its limit, or returns the rejection.
   *
   * @param keptMs milliseconds after which an unreleased slot expires, because its instance may have crashed.
   */
  admit(
    asked: RequestedSlot,
    keptMs: number,
  ): Promise<{ ok: true; slot: Slot } | { ok: false; rejection: QuotaRejection }>
  /**
   * Restores the debt reserved by an auction that a previous process opened, and returns a function that releases it.
   * Does nothing if the quotas are shared, because the slot and its reservation are still held there.
   */
  restore(rfq: Pick<RFQ, 'poolId' | 'taker' | 'takerVerified' | 'notional'>): () => void
  /** Counts one check of a proof, or returns the rejection. A check requires a signature recovery and a chain read. */
  spendProof(counts: readonly Count[]): Promise<QuotaRejection | null>
  /** Numbers of auctions that hold a slot. */
  totals(): Promise<OpenTotals>
  /**
   * Admits one check of a contract's signature, or returns how many seconds to wait. The check counts as failed until
   * `giveBack` is called, so the number of a sender's checks in progress never exceeds its remaining failures.
   */
  admitCheck(sender: string): Promise<({ ok: true } & AdmittedCheck) | { ok: false; retryAfterSeconds: number }>
}
