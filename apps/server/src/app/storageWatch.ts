import type { Clock } from '@firmquote/core'
import { CursorMovedError, StorageUnavailableError } from '../ports/errors.ts'
import type { Store, StoreWrite } from '../ports/store.ts'
import { afterPendingReads } from '../scheduling/eventLoop.ts'
import type { Log } from './serviceDeps.ts'

/** Whether the store can be written to. */
export type StorageWatch = {
  /** False while the integrity check runs, and from a failed or slow write until a probe succeeds. */
  isWritable(): boolean
  /** Whether clients were sent elsewhere and the database is still not writable. */
  isLost(): boolean
  /**
   * Calls back when writes have failed for so long that clients should use another instance. Returns the
   * unsubscription.
   */
  onLost(listener: () => void): () => void
  /** Stops the probing. */
  stop(): void
}

/** Milliseconds between probes of a store that cannot be written to. */
const probeIntervalMs = 500
/** Milliseconds after which an unanswered write counts as failed. */
const slowWriteMs = 1_000
/** Milliseconds without a successful write after which clients are sent elsewhere. */
const lostAfterMs = 2_000

/**
 * Wraps a store to detect that it cannot be written to. After a failed or slow write it logs the failure and probes
 * until an empty write succeeds. Only a probe proves recovery: another write may succeed because it had nothing to
 * change.
 *
 * Elapsed time alone proves nothing, since the process may have been suspended. Clients are sent elsewhere once a probe
 * has failed after the limit, or two ticks in a row found no answer. An instance may have nothing to write for a long
 * time, so a failed read of the open auctions, which happens once a second, triggers a probe immediately.
 */
export function watchStorage(
  store: Store,
  { clock, log }: { clock: Pick<Clock, 'monotonic' | 'after'>; log: Log },
): { store: Store; watch: StorageWatch } {
  const lostListeners = new Set<() => void>()
  let failingSince: number | null = null
  /** The start of the read that failed; null after a successful probe. */
  let suspectedSince: number | null = null
  let lost = false
  let pendingWrites = 0
  /** The last time when a pending write was seen to progress. */
  let movedAt = 0
  let cancelSlowCheck: (() => void) | null = null
  let cancelProbe: (() => void) | null = null
  let isProbing = false
  /** Consecutive ticks that found a write or a probe without an answer. */
  let silentTicks = 0
  let stopped = false

  const succeeded = () => {
    suspectedSince = null
    if (failingSince === null) return
    log.info({ seconds: (clock.monotonic() - failingSince) / 1_000 }, 'database is writable again')
    failingSince = null
    silentTicks = 0
    lost = false
    cancelProbe?.()
    cancelProbe = null
  }

  const failed = (err: unknown, since: number) => {
    if (stopped) return
    if (failingSince === null) {
      failingSince = Math.min(since, suspectedSince ?? since)
      log.error({ err }, 'failed to write to the database')
    }
    scheduleProbe()
  }

  const probe = async () => {
    isProbing = true
    await writes.probe().catch(() => {})
    isProbing = false
  }

  const checkLost = () => {
    if (lost || stopped || failingSince === null || clock.monotonic() - failingSince < lostAfterMs) return
    lost = true
    for (const listener of [...lostListeners]) {
      try {
        listener()
      } catch (err) {
        log.error({ err }, 'failed to send clients elsewhere')
      }
    }
  }

  const scheduleProbe = () => {
    cancelProbe ??= clock.after(probeIntervalMs, () => {
      cancelProbe = null
      if (failingSince === null || stopped) return
      scheduleProbe()
      // At most one probe runs, so that hanging ones do not pile up.
      const hangs = pendingWrites > 0 && clock.monotonic() - movedAt >= slowWriteMs
      if (isProbing || hangs) {
        silentTicks += 1
        // The first tick after a suspension comes before the answers that have been waiting.
        if (silentTicks > 1) checkLost()
      } else {
        silentTicks = 0
        void probe().then(checkLost)
      }
    })
  }

  const scheduleSlowCheck = (milliseconds = slowWriteMs) => {
    if (stopped) return
    cancelSlowCheck ??= afterPendingReads(clock, milliseconds, () => {
      cancelSlowCheck = null
      if (pendingWrites === 0 || stopped) return
      const left = movedAt + slowWriteMs - clock.monotonic()
      if (left > 0) return scheduleSlowCheck(left)
      failed(new StorageUnavailableError(`The database has not answered a write for ${slowWriteMs} ms.`), movedAt)
      scheduleSlowCheck()
    })
  }

  const watchWrite = <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      if (pendingWrites === 0) movedAt = clock.monotonic()
      pendingWrites += 1
      scheduleSlowCheck()
      try {
        return await write(...given)
      } catch (error) {
        // A write that lost a race says nothing about the database.
        const isLate = error instanceof CursorMovedError
        if (error instanceof StorageUnavailableError && !isLate) failed(error, clock.monotonic())
        throw error
      } finally {
        pendingWrites -= 1
        movedAt = clock.monotonic()
      }
    }
  }

  const watchedProbe = watchWrite(store.probe)
  const writes: Pick<Store, StoreWrite | 'probe'> = {
    claim: watchWrite(store.claim),
    insertQuote: watchWrite(store.insertQuote),
    openAuction: watchWrite(store.openAuction),
    acceptQuote: watchWrite(store.acceptQuote),
    closeAuction: watchWrite(store.closeAuction),
    applyBlocks: watchWrite(store.applyBlocks),
    rollBack: watchWrite(store.rollBack),
    holdLease: watchWrite(store.holdLease),
    finalize: watchWrite(store.finalize),
    addRatePoints: watchWrite(store.addRatePoints),
    // A use case may probe as well.
    async probe() {
      await watchedProbe()
      succeeded()
    },
  }

  const listOpenAuctions = async () => {
    const since = clock.monotonic()
    try {
      return await store.listOpenAuctions()
    } catch (error) {
      if (error instanceof StorageUnavailableError && !stopped) {
        suspectedSince ??= since
        if (failingSince === null && !isProbing) void probe()
      }
      throw error
    }
  }

  return {
    store: { ...store, ...writes, listOpenAuctions },
    watch: {
      // No new work starts during the integrity check; running work continues.
      isWritable: () => failingSince === null && store.integrity() === 'ok',
      isLost: () => lost,
      onLost(listener) {
        lostListeners.add(listener)
        return () => {
          lostListeners.delete(listener)
        }
      },
      stop() {
        stopped = true
        cancelProbe?.()
        cancelSlowCheck?.()
      },
    },
  }
}
