import { ChainUnavailableError } from '@firmquote/core'
import { type Hex, zeroAddress } from 'viem'
import { StorageUnavailableError } from '../../ports/errors.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { SyncStatus } from '../chain/sync.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Watches for expired series with positions whose checkpoint is missing. Their settlements depend on it. */
export type CheckpointWatch = {
  /** Reads the missing checkpoints if the last read is old enough. Never rejects. */
  advance(): Promise<void>
  /** Forgets the checkpoints of undone blocks. */
  restart(): void
  stop(): void
  /**
   * Seconds since the expiry of the first expired series without a checkpoint; 0 if there is none. Null before the
   * first read, and on an instance that does not follow the chain.
   */
  overdueSeconds(): number | null
}

/** Milliseconds between the starts of two reads. */
const readingIntervalMs = 60_000

/** Creates the watch. It reads only on the instance that follows the chain, and each checkpoint until it exists. */
export function createCheckpointWatch(
  { chain, store, clock, log }: Pick<ServiceDeps, 'chain' | 'store' | 'clock' | 'log'>,
  sync: { status(): Pick<SyncStatus, 'synced' | 'state'>; leads(): boolean },
): CheckpointWatch {
  let checkpointed = new Set<Hex>()
  /** The earliest expiry without a checkpoint, in Unix seconds. */
  let oldest: { expiry: number | null } | null = null
  let nextReadAt = 0
  let stopped = false
  let failing = false

  const read = async (block: NonNullable<SyncStatus['synced']>) => {
    const known = checkpointed
    const expired = await store.listExpiredSeries(Number(block.timestamp))
    const series = expired.filter(({ seriesKey }) => !known.has(seriesKey))
    if (series.length > 0) {
      const { indexes } = await chain.readAccount({ account: zeroAddress, pools: [], series, block })
      for (const { seriesKey } of series) if (indexes.get(seriesKey)?.checkpoint) known.add(seriesKey)
    }
    const missing = series.find(({ seriesKey }) => !known.has(seriesKey))
    if (missing && missing.expiry !== oldest?.expiry) {
      const { seriesKey, expiry } = missing
      log.info({ seriesKey, expiry }, 'an expired series awaits its checkpoint')
    }
    oldest = { expiry: missing?.expiry ?? null }
  }

  return {
    async advance() {
      const { synced, state } = sync.status()
      if (!sync.leads()) oldest = null
      const now = clock.monotonic()
      if (stopped || !sync.leads() || synced === null || state === 'starting' || now < nextReadAt) return
      // One read at a time.
      nextReadAt = Number.POSITIVE_INFINITY
      try {
        await read(synced)
        failing = false
      } catch (err) {
        const isExpected = err instanceof ChainUnavailableError || err instanceof StorageUnavailableError
        if (!stopped && !(failing && isExpected)) log.warn({ err }, 'failed to read the checkpoints of expired series')
        failing = true
      }
      nextReadAt = now + readingIntervalMs
    },
    restart() {
      checkpointed = new Set()
    },
    stop() {
      stopped = true
    },
    overdueSeconds: () => oldest && (oldest.expiry === null ? 0 : Math.max(0, Number(chainNow(clock)) - oldest.expiry)),
  }
}
