import type { RFQRequest } from '@firmquote/core'
import type { Series } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { chainNow } from './judgeQuote.ts'
import type { OpenRefusal, Outcome } from './service.ts'
import type { Sync } from './sync.ts'

/**
 * Finds the series that a borrower means: the exact one, or the pool's active one with the wanted expiry, else the
 * nearest later one. What there is, the sync knows; while it does not, or no longer, nothing is found.
 */
export async function resolveSeries(
  {
    store,
    clock,
    sync,
  }: { store: Pick<Store, 'listPools' | 'listSeries'>; clock: Pick<Clock, 'now'>; sync: Pick<Sync, 'status'> },
  { poolId, seriesKey, expiry }: RFQRequest,
): Promise<Outcome<Series, OpenRefusal>> {
  const { state, synced } = sync.status()
  if (state === 'starting' || state === 'stale') return refused({ code: 'CHAIN_UNAVAILABLE' })
  const [pools, all] = await Promise.all([store.listPools(), store.listSeries(poolId)])
  if (!pools.some((pool) => pool.poolId === poolId)) return refused({ code: 'POOL_NOT_FOUND', poolId })
  // As in the judges: whichever is later, clock or block, decides what has expired.
  const now = Math.max(Number(chainNow(clock)), Number(synced?.timestamp ?? 0n))
  const active = all.filter((item) => item.expiry > now)
  const available = active.map((item) => item.expiry)

  if (seriesKey === undefined) {
    const found = active.find((item) => item.expiry >= expiry)
    return found ? { ok: true, value: found } : refused({ code: 'SERIES_NOT_FOUND', poolId, available })
  }
  const found = all.find((item) => item.seriesKey === seriesKey)
  if (!found) return refused({ code: 'SERIES_NOT_FOUND', poolId, available })
  return active.includes(found)
    ? { ok: true, value: found }
    : refused({ code: 'SERIES_EXPIRED', seriesKey, expiry: found.expiry })
}

function refused(rejection: OpenRefusal): Outcome<Series, OpenRefusal> {
  return { ok: false, rejection }
}
