import type { Clock } from '@firmquote/core/utils'

/**
 * The clock from which instances derive the service's time: the database's clock or, on SQLite, the machine's. The
 * service's time is this clock plus a stored offset. All times are in Unix milliseconds.
 */
export type ReferenceClock = {
  /** `database` or `machine`, for log messages. */
  name: string
  /**
   * Reads the clock and the stored offset. If the sum agrees with `now`, records that an instance agreed.
   *
   * @param now the caller's time; null at startup.
   * @throws {StorageUnavailableError} if the database does not respond.
   */
  read(now: number | null): Promise<{ time: number; offset: number; agreedAt: number | null }>
  /** Replaces the stored offset unless it has changed from `from`. */
  setOffset(change: { from: number; to: number }): Promise<void>
  /** Resets the stored offset to zero, unless it has changed from `from` or an auction is open. */
  resetOffset(from: number): Promise<void>
}

/** The service's clock. Tests may pass a {@link Clock} alone. */
export type ServiceClock = Clock & {
  /**
   * Milliseconds since an open auction's `openedAt`. Differs from `now() - openedAt` only just after the service's time
   * was set.
   */
  ageOf?(openedAt: number): number
  /**
   * Milliseconds from the reference clock to the service's time. Not zero after a step of the reference clock.
   */
  offset?(): number
  /** Reports the node's newest block, which shows whether the reference clock is right after a step. */
  observeBlock?(block: { number: bigint; timestamp: bigint }): void
}
