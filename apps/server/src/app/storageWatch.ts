import type { Clock } from '@firmquote/core/utils'
import { CursorMovedError, StorageUnavailableError } from '../ports/errors.ts'
import type { ProofStore, Store, StoreWrite } from '../ports/store.ts'
import { afterPendingReads } from '../scheduling/eventLoop.ts'
import type { Log } from './serviceDeps.ts'

/** Tracks whether the store is writable. */
export type StorageWatch = {
  /** False while the integrity check runs, and from a failed or slow write until a probe succeeds. */
  isWritable(): boolean
  /** Whether clients were directed to other instances and the database is still unwritable. */
  isLost(): boolean
  /**
   * Registers a listener that is called when writes have failed for so long that clients should use another instance.
   * Returns an unsubscribe function.
   */
  onLost(listener: () => void): () => void
  /** Watches the log's writes as well. On a quiet service, there may be no others. */
  watchLog(proofs: ProofStore): ProofStore
  /** Stops probing. */
  stop(): void
}

/** Milliseconds between probes of an unwritable store. */
const probeIntervalMs = 500
/** Milliseconds after which an unanswered write counts as failed. */
const slowWriteMs = 1_000
/** Milliseconds without a successful write after which clients are directed to other instances. */
const lostAfterMs = 2_000

/**
 * Wraps a store to detect when it becomes unwritable. After a failed or slow write, it logs the failure and probes
 * until an empty write succeeds. Only a probe proves recovery: another write may succeed because it had nothing to
 * change.
 *
 * Elapsed time alone does not indicate a failure, because the process may have been suspended. The watch directs
 * clients to other instances once a probe has failed after the limit, or two consecutive ticks have found no response.
 * An instance may have nothing to write for a long time, so a failed read of the open auctions, which happens every
 * second, triggers a probe immediately.
 */
export function watchStorage(
  store: Store,
  { clock, log }: { clock: Pick<Clock, 'monotonic' | 'after'>; log: Log },
): { store: Store; watch: StorageWatch } {
  const lostListeners = new Set<() => void>()
  let failingSince: number | null = null
  /** When the failed read started; null after a successful probe. */
  let suspectedSince: number | null = null
  let lost = false
  let pendingWrites = 0
  /** When a pending write was last seen to make progress. */
  let movedAt = 0
  let cancelSlowCheck: (() => void) | null = null
  let cancelProbe: (() => void) | null = null
  let isProbing = false
  /** Consecutive ticks that found a write or a probe unanswered. */
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
        log.error({ err }, 'failed to direct clients to other instances')
      }
    }
  }

  const scheduleProbe = () => {
    cancelProbe ??= clock.after(probeIntervalMs, () => {
      cancelProbe = null
      if (failingSince === null || stopped) return
      scheduleProbe()
      // Only one probe runs at a time, so that hanging probes cannot pile up.
      const hangs = pendingWrites > 0 && clock.monotonic() - movedAt >= slowWriteMs
      if (isProbing || hangs) {
        silentTicks += 1
        // After a suspension of the process, the first tick runs before the responses already waiting.
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
        // A write that lost a race does not indicate a database failure.
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
    dateFills: watchWrite(store.dateFills),
    changeControls: watchWrite(store.changeControls),
    // Use cases may also probe.
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
      // No new work starts during the integrity check, but running work continues.
      isWritable: () => failingSince === null && store.integrity() === 'ok',
      isLost: () => lost,
      onLost(listener) {
        lostListeners.add(listener)
        return () => {
          lostListeners.delete(listener)
        }
      },
      watchLog: (proofs) => ({ ...proofs, advanceLog: watchWrite(proofs.advanceLog) }),
      stop() {
        stopped = true
        cancelProbe?.()
        cancelSlowCheck?.()
      },
    },
  }
}
