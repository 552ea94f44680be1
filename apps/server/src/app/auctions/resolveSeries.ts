import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import type { Series } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { Sync } from '../chain/sync.ts'
import { chainNow } from '../quotes/judgeQuote.ts'
import type { OpenRefusal, Outcome } from '../service.ts'

type Deps = {
  store: Pick<Store, 'listPools' | 'listSeries'>
  clock: Pick<Clock, 'now'>
  sync: Pick<Sync, 'status' | 'cycle'>
}

/**
 * Finds the series that a borrower means: the exact one, or the pool's active one with the wanted expiry, else the
 * nearest later one. What there is, the sync knows; what it does not know may have come with the newest block, so it
 * looks once more.
 */
export async function resolveSeries(deps: Deps, request: RFQRequest): Promise<Outcome<Series, OpenRefusal>> {
  const { state } = deps.sync.status()
  if (state === 'starting' || state === 'stale') return refused({ code: 'CHAIN_UNAVAILABLE' })
  const found = await findSeries(deps, request)
  if (found.ok || found.rejection.code === 'SERIES_EXPIRED') return found
  try {
    await deps.sync.cycle()
  } catch (error) {
    if (error instanceof ChainUnavailableError) return refused({ code: 'CHAIN_UNAVAILABLE' })
    throw error
  }
  return findSeries(deps, request)
}

async function findSeries(
  { store, clock, sync }: Deps,
  { poolId, seriesKey, expiry }: RFQRequest,
): Promise<Outcome<Series, OpenRefusal>> {
  const [pools, all] = await Promise.all([store.listPools(), store.listSeries(poolId)])
  if (!pools.some((pool) => pool.poolId === poolId)) return refused({ code: 'POOL_NOT_FOUND', poolId })
  // As in the judges: whichever is later, clock or block, decides what has expired.
  const now = Math.max(Number(chainNow(clock)), Number(sync.status().synced?.timestamp ?? 0n))
  const active = all.filter((item) => item.expiry > now)
  const available = active.map((item) => item.expiry)

  if (seriesKey === undefined) {
    const found = active.find((item) => item.expiry >= expiry)
    return found
      ? { ok: true, value: found }
      : refused({ code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available })
  }
  const found = all.find((item) => item.seriesKey === seriesKey)
  if (!found) return refused({ code: 'SERIES_NOT_FOUND', poolId, seriesKey, available })
  return active.includes(found)
    ? { ok: true, value: found }
    : refused({ code: 'SERIES_EXPIRED', seriesKey, expiry: found.expiry })
}

function refused(rejection: OpenRefusal): Outcome<Series, OpenRefusal> {
  return { ok: false, rejection }
}
