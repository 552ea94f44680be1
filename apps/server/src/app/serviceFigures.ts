import type { DatabaseSize, ServiceFigures } from '../ports/metrics.ts'
import type { AuctionHub } from './auctions/auctionHub.ts'
import { chainNow } from './chain/chainNow.ts'
import type { SyncStatus } from './chain/sync.ts'
import type { CheckpointWatch } from './markets/checkpointWatch.ts'
import type { ProofLog } from './proofs/proofLog.ts'
import type { Witnesses } from './proofs/witnesses.ts'
import type { ServiceDeps } from './serviceDeps.ts'
import type { StorageWatch } from './storageWatch.ts'

/**
 * Milliseconds to wait for the database, and to cache its response, because anyone may request the figures.
 */
const [timeoutMs, reuseMs] = [1_000, 1_000]

const unknownSize: DatabaseSize = { data: null, log: null, free: null }

/** Creates the reader for the current figures. The reader resolves within {@link timeoutMs} and never rejects. */
export function createServiceFigures(
  { store, quotas, clock }: Pick<ServiceDeps, 'store' | 'quotas' | 'clock'>,
  parts: {
    sync: { status(): SyncStatus }
    hub: Pick<AuctionHub, 'count'>
    storage: Pick<StorageWatch, 'isWritable'>
    checkpoints: Pick<CheckpointWatch, 'overdueSeconds'>
    proofs: LogParts | null
  },
): () => Promise<ServiceFigures> {
  const within = <T>(answer: Promise<T>, otherwise: T): Promise<T> =>
    new Promise((resolve) => {
      const cancel = clock.after(timeoutMs, () => resolve(otherwise))
      answer
        .catch(() => otherwise)
        .then((value) => {
          cancel()
          resolve(value)
        })
    })

  const ask = async () => {
    const [isReadable, size, places] = await Promise.all([
      within(
        store.ping().then(() => true),
        false,
      ),
      within(store.size(), unknownSize),
      within(quotas.totals(), null),
    ])
    return { isReadable, size, places }
  }

  let asked = { at: Number.NEGATIVE_INFINITY, answer: ask }
  const askCached = () => {
    const now = clock.monotonic()
    if (now - asked.at >= reuseMs) {
      const answer = ask()
      asked = { at: now, answer: () => answer }
    }
    return asked.answer()
  }

  return async () => {
    const { isReadable, size, places } = await askCached()
    const { open, backers } = parts.hub.count()
    const { head, synced, lagSeconds } = parts.sync.status()
    const integrity = store.integrity()
    return {
      openAuctions: open,
      backers,
      places,
      clockOffsetSeconds: (clock.offset?.() ?? 0) / 1_000,
      chain: {
        head: head?.number ?? null,
        synced: synced?.number ?? null,
        headAgeSeconds: head && Number(chainNow(clock) - head.timestamp),
        lagSeconds,
      },
      checkpointOverdueSeconds: parts.checkpoints.overdueSeconds(),
      proofLog: parts.proofs && describeLog(parts.proofs, clock.now()),
      database: {
        isReadable,
        isWritable: parts.storage.isWritable(),
        isWhole: integrity === 'checking' ? null : integrity === 'ok',
        size,
      },
    }
  }
}

type LogParts = { log: Pick<ProofLog, 'newest' | 'waiting'>; witnesses: Pick<Witnesses, 'cosigned' | 'count'> }

function describeLog({ log, witnesses }: LogParts, now: number) {
  const checkpoint = log.newest()
  const times = witnesses.cosigned()?.cosignatures.map(({ time }) => time) ?? []
  return {
    size: checkpoint?.size ?? 0,
    ageSeconds: checkpoint && Math.max(0, now - checkpoint.at) / 1_000,
    waiting: log.waiting(),
    witnesses: witnesses.count(),
    cosignedAgeSeconds: times.length === 0 ? null : Math.max(0, now / 1_000 - Math.max(...times)),
  }
}
