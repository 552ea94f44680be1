import type { Clock } from '@firmquote/core'
import { CursorMovedError, StorageUnavailableError } from '../ports/errors.ts'
import type { Store, StoreWrite } from '../ports/store.ts'
import { afterPendingReads } from '../scheduling/afterPendingReads.ts'
import type { Log } from './serviceDeps.ts'

/** Whether the store can be written to. */
export type StorageWatch = {
  /** False while the integrity check runs, and from a failed or slow write until a probe succeeds. */
  isWritable(): boolean
  /** Whether clients were sent elsewhere and the database is still not writable. */
  isLost(): boolean
  /** Calls back when writes have failed for so long that clients should use another instance. Returns the unsubscription. */
  onLost(listener: () => void): () => void
  /** Stops the probing. */
  stop(): void
}

/** How often a store that cannot be written to is tried again, in milliseconds. */
const probeIntervalMs = 500
/** A write that takes so many milliseconds counts as failed. */
const slowWriteMs = 1_000
/** After so many milliseconds without a successful write, clients are sent elsewhere. */
const lostAfterMs = 2_000

/**
 * Wraps a store so that a failing write is remembered. From then on a write that means nothing is tried again and again,
 * and when it succeeds the service has recovered, by itself; any other write may have succeeded because there was nothing
 * to change. The first failure is the one that is logged. Time alone says nothing, since the process may have been suspended: clients
 * are sent elsewhere when a probe has failed by then, or there was no answer twice in a row. An instance may have nothing to write for long: when the open
 * auctions, which it reads once a second, cannot be read, it is tried at once whether it can write.
 */
export function watchStorage(
  store: Store,
  { clock, log }: { clock: Pick<Clock, 'monotonic' | 'after'>; log: Log },
): { store: Store; watch: StorageWatch } {
  const lostListeners = new Set<() => void>()
  let failingSince: number | null = null
  /** When the reading began that has failed; null since a probe has succeeded. */
  let suspectedSince: number | null = null
  let lost = false
  let underWay = 0
  /** When the writes that are under way were last seen to move. */
  let movedAt = 0
  let cancelSlowCheck: (() => void) | null = null
  let cancelProbe: (() => void) | null = null
  let isProbing = false
  /** How many ticks in a row have found a write or a probe without an answer. */
  let silentTicks = 0
  let stopped = false

  const succeeded = () => {
    suspectedSince = null
    if (failingSince === null) return
    log.info({ seconds: (clock.monotonic() - failingSince) / 1_000 }, 'the database can be written to again')
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
      log.error({ err }, 'the database cannot be written to')
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
        log.error({ err }, 'clients could not be sent elsewhere')
      }
    }
  }

  const scheduleProbe = () => {
    cancelProbe ??= clock.after(probeIntervalMs, () => {
      cancelProbe = null
      if (failingSince === null || stopped) return
      scheduleProbe()
      // One at a time: what hangs is not piled up.
      const hangs = underWay > 0 && clock.monotonic() - movedAt >= slowWriteMs
      if (isProbing || hangs) {
        silentTicks += 1
        // The first tick after a process was suspended comes before the answers that have waited for it.
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
      if (underWay === 0 || stopped) return
      const left = movedAt + slowWriteMs - clock.monotonic()
      if (left > 0) return scheduleSlowCheck(left)
      failed(new StorageUnavailableError(`The database has not answered a write for ${slowWriteMs} ms.`), movedAt)
      scheduleSlowCheck()
    })
  }

  const watchWrite = <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      if (underWay === 0) movedAt = clock.monotonic()
      underWay += 1
      scheduleSlowCheck()
      try {
        return await write(...given)
      } catch (error) {
        // A write that comes too late says nothing about the database.
        const isLate = error instanceof CursorMovedError
        if (error instanceof StorageUnavailableError && !isLate) failed(error, clock.monotonic())
        throw error
      } finally {
        underWay -= 1
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
    // Also where a use case asks for it.
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
      // While it is looked at whether the data is whole, nothing new is begun on it; what is under way goes on.
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
