import { type FixedRateHistory, InvalidInputError, type RateHistory, type RateHistoryFilters } from '@firmquote/core'
import { hourOf, hourSeconds } from '../../domain/rateHours.ts'
import type { FillDay } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate } from './lendingMarket.ts'

const daySeconds = 86_400
/** The maximum number of hourly or daily floating-rate points. */
const maxPoints = 2_000
/** The maximum number of days with fills, over all series. */
const maxFixedPoints = 4_000
const defaultDays = 365

/**
 * Creates the reader of past rates. It returns null for an unknown pool.
 *
 * The reader throws {@link InvalidInputError} with path `from` if the range is empty or too long.
 */
export function createReadRateHistory({
  store,
  clock,
}: Pick<ServiceDeps, 'store' | 'clock'>): (filters: RateHistoryFilters) => Promise<RateHistory | null> {
  return async (filters) => {
    const poolId = filters.market
    const to = hourOf(filters.to ?? chainNow(clock))
    const from = hourOf(filters.from ?? Math.max(0, to - defaultDays * daySeconds))
    if (from > to) throw new InvalidInputError('must not be after `to`.', { path: 'from' })
    if (to - from > maxPoints * daySeconds) {
      throw new InvalidInputError(`must be at most ${maxPoints} days before \`to\`.`, { path: 'from' })
    }
    if (!(await store.listPools()).some((pool) => pool.poolId === poolId)) return null
    const step = to - from > maxPoints * hourSeconds ? daySeconds : hourSeconds
    const [floating, fixed] = await Promise.all([
      store.listRatePoints({ poolId, from, to, step }),
      store.listFillDays({ poolId, from, to, limit: maxFixedPoints }),
    ])
    return {
      ...{ market: poolId, from, to, step },
      floating: floating.map(({ hour: at, ratePerSec, block }) => ({
        ...{ at, ratePerSec, apr: floatingRate(ratePerSec).apr },
        block: Number(block),
      })),
      fixed: bySeries(fixed),
    }
  }
}

function bySeries(days: readonly FillDay[]): FixedRateHistory[] {
  const all = new Map<string, FixedRateHistory>()
  for (const { seriesKey, expiry, day: at, apr, notional, count } of days) {
    const series = all.get(seriesKey) ?? { seriesKey, expiry, points: [] }
    series.points.push({ at, fills: { apr, notional, count } })
    all.set(seriesKey, series)
  }
  return [...all.values()]
}
