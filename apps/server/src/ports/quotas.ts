import type { RFQ } from '@firmquote/core'
import type { Count, OpenTotals, QuotaRejection, RequestedSlot } from '../domain/quotas.ts'

/** One of the slots for open auctions. */
export type Slot = {
  /** Whether the taker's debt covers the RFQ. If so, the RFQ's notional remains reserved until the slot is released. */
  verified: boolean
  /** Frees the slot; further calls have no effect. */
  release(): void
  /**
   * Frees the slot and uncounts its RFQ, because the service failed to open the auction. Best effort: after a crash, the
   * RFQ stays counted. After `release`, the call has no effect.
   */
  refund(): void
  /**
   * Marks the auction as abandoned if the limit on abandoned auctions allows it. The auction continues and still counts
   * against its requester, but its slot is freed. Resolves to true if this call freed the slot. Never rejects.
   */
  abandon(): Promise<boolean>
}

/** An admitted check of a contract's signature. */
export type AdmittedCheck = {
  /** Reports that the check succeeded, so that it is not counted as a failure. */
  giveBack(): void
}

/**
 * Counts per requester and sender across all instances that share the quotas. Concurrent requests never exceed a limit,
 * even on different instances. The pure functions in `domain/quotas.ts` make the decisions.
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
   * Restores the debt reserved by an auction from a previous process, and returns a function that releases it. Does
   * nothing if the quotas are shared, because the shared quotas still hold the slot and its reservation.
   */
  restore(rfq: Pick<RFQ, 'rfqId' | 'poolId' | 'taker' | 'takerVerified' | 'notional'>): () => void
  /** Counts one check of a proof, or returns the rejection. A check requires a signature recovery and a chain read. */
  spendProof(counts: readonly Count[]): Promise<QuotaRejection | null>
  /** The number of auctions that hold a slot. */
  totals(): Promise<OpenTotals>
  /**
   * Admits one check of a contract's signature, or returns the number of seconds to wait. Until `giveBack` is called,
   * the check counts as failed, so a sender never has more pending checks than failures left.
   */
  admitCheck(sender: string): Promise<({ ok: true } & AdmittedCheck) | { ok: false; retryAfterSeconds: number }>
}
