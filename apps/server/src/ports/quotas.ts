import type { RFQ } from '@firmquote/core'
import type { Count, OpenTotals, QuotaRejection, RequestedSlot } from '../domain/quotas.ts'

/** A slot among the open auctions. */
export type Slot = {
  /** Whether the taker's debt covers the RFQ. Its notional is then reserved until the release. */
  verified: boolean
  /** Frees the slot; further calls do nothing. */
  release(): void
  /**
   * Marks the auction as abandoned, if the limit of abandoned auctions permits: it continues, and its slot becomes
   * free. Its requester's count continues. Resolves to whether this call freed the slot; never rejects.
   */
  abandon(): Promise<boolean>
}

/** One check of a contract's signature. */
export type AdmittedCheck = {
  /** Reports that the check did not fail, so that it does not count. */
  giveBack(): void
}

/**
 * Counts by requester and by sender, over all instances that share the quotas. Simultaneous requests cannot all be the
 * last one admitted, on any instance. The pure functions of `domain/quotas.ts` decide.
 *
 * Each method throws {@link StorageUnavailableError}, and admits no request, when counting fails.
 */
export type Quotas = {
  /**
   * Admits one auction if every count has room, or returns the refusal.
   *
   * @param keptMs milliseconds after which an unreleased slot expires, because its instance may have died.
   */
  admit(
    asked: RequestedSlot,
    keptMs: number,
  ): Promise<{ ok: true; slot: Slot } | { ok: false; rejection: QuotaRejection }>
  /**
   * Restores the reservation in the row of an auction that an earlier process opened. If instances share the quotas the
   * slot is known and the reservation exists already.
   */
  restore(rfq: Pick<RFQ, 'poolId' | 'taker' | 'takerVerified' | 'notional'>): () => void
  /** Counts one check of a proof, which costs a signature and a read of the chain, or returns the refusal. */
  spendProof(counts: readonly Count[]): Promise<QuotaRejection | null>
  /** The numbers of auctions with a slot. */
  totals(): Promise<OpenTotals>
  /**
   * Admits one check of a contract's signature, or returns the seconds to wait. The check counts as failed until
   * `giveBack`, so that a sender has no more checks running than may fail.
   */
  admitCheck(sender: string): Promise<({ ok: true } & AdmittedCheck) | { ok: false; retryAfterSeconds: number }>
}
