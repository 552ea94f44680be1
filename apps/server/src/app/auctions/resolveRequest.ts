import type { RFQRequest } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { judgeRequestSize, minNotionalOf } from '../../domain/minNotionalOf.ts'
import type { Chain, Series } from '../../ports/chain.ts'
import type { Store } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Sync, SyncStatus } from '../chain/sync.ts'
import { chainRejection } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceLimits } from '../serviceDeps.ts'
import type { OpenRefusal } from './openRefusal.ts'

type Deps = {
  store: Pick<Store, 'listPools' | 'listSeries'>
  clock: Pick<Clock, 'now'>
  sync: Pick<Sync, 'status' | 'cycle'>
}

/** Returns why requests cannot be checked: the sync is not near the chain's head, or the nodes disagree. */
export function chainObstacle({
  state,
  failing,
  disagrees,
}: Pick<SyncStatus, 'state' | 'failing' | 'disagrees'>): OpenRefusal | null {
  if (disagrees) return { code: 'CHAIN_DISAGREES' }
  return state === 'starting' || state === 'stale' || failing ? { code: 'CHAIN_UNAVAILABLE' } : null
}

/**
 * Finds a request's series: the one with `seriesKey`, otherwise the pool's first active series that expires at or after
 * `expiry`. A past expiry matches no series. A missing series may have been created in the newest block, so the search
 * is repeated once after a sync.
 */
export async function resolveSeries(deps: Deps, request: RFQRequest): Promise<Outcome<Series, OpenRefusal>> {
  const obstacle = chainObstacle(deps.sync.status())
  if (obstacle) return reject(obstacle)
  const found = await findSeries(deps, request)
  if (found.ok || found.rejection.code === 'SERIES_EXPIRED') return found
  // A new block cannot add an expired series.
  if ((request.expiry ?? Number.POSITIVE_INFINITY) <= secondsNow(deps)) return found
  try {
    await deps.sync.cycle()
  } catch (error) {
    const rejection = chainRejection(error)
    if (rejection) return reject(rejection)
    throw error
  }
  return findSeries(deps, request)
}

/** Returns the later of the wall clock and the newest block's timestamp, which determines expiry as in `judgeState`. */
function secondsNow({ clock, sync }: Pick<Deps, 'clock' | 'sync'>): number {
  return Math.max(Number(chainNow(clock)), Number(sync.status().synced?.timestamp ?? 0n))
}

async function findSeries(deps: Deps, request: RFQRequest): Promise<Outcome<Series, OpenRefusal>> {
  const { store } = deps
  const { poolId, seriesKey, expiry } = request
  const [pools, all] = await Promise.all([store.listPools(), store.listSeries(poolId)])
  if (!pools.some((pool) => pool.poolId === poolId)) return reject({ code: 'POOL_NOT_FOUND', poolId })
  const now = secondsNow(deps)
  const active = all.filter((item) => item.expiry > now)
  const available = active.map((item) => item.expiry)

  if (seriesKey === undefined) {
    const found = expiry > now ? active.find((item) => item.expiry >= expiry) : undefined
    return found ? { ok: true, value: found } : reject({ code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available })
  }
  const found = all.find((item) => item.seriesKey === seriesKey)
  if (!found) return reject({ code: 'SERIES_NOT_FOUND', poolId, seriesKey, available })
  return active.includes(found)
    ? { ok: true, value: found }
    : reject({ code: 'SERIES_EXPIRED', seriesKey, expiry: found.expiry })
}

function reject(rejection: OpenRefusal): Outcome<Series, OpenRefusal> {
  return { ok: false, rejection }
}

type SizeDeps = {
  chain: Pick<Chain, 'readCapacities'>
  store: Pick<Store, 'listPools'>
  limits: Pick<ServiceLimits, 'dustDivisor' | 'dustLimits'>
}

/**
 * Checks a request's size against its series and returns a quote's minimum notional. Reads the remaining capacity from
 * the chain, unless the request can be refused without it.
 */
export async function sizeRequest(
  { chain, store, limits }: SizeDeps,
  request: RFQRequest,
  { poolId, seriesKey, cap }: Series,
): Promise<Outcome<bigint, OpenRefusal>> {
  const pool = (await store.listPools()).find((item) => item.poolId === poolId)
  if (!pool) return { ok: false, rejection: { code: 'POOL_NOT_FOUND', poolId } }
  const dust = minNotionalOf(
    { cap, loanToken: pool.loanToken },
    { divisor: limits.dustDivisor, limits: limits.dustLimits },
  )
  // A request below the minimum can be refused without reading the chain.
  const small = judgeRequestSize(request, { dust, capacity: request.notional })
  if (!small.ok) return small
  try {
    const { capacities } = await chain.readCapacities([seriesKey])
    const size = judgeRequestSize(request, { dust, capacity: capacities.get(seriesKey) ?? 0n })
    return size.ok ? { ok: true, value: size.minNotional } : size
  } catch (error) {
    const rejection = chainRejection(error)
    if (rejection) return { ok: false, rejection }
    throw error
  }
}
