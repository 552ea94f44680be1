import {
  type FixedRateHistory,
  type FixedRatePoint,
  InvalidInputError,
  quoteEffectiveApy,
  type RateHistory,
  type RateHistoryFilters,
} from '@firmquote/core'
import type { Hex } from 'viem'
import type { DatedPrice } from '../../domain/fillMedian.ts'
import { hourOf, hourSeconds } from '../../domain/rateHours.ts'
import type { Store } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate } from './lendingMarket.ts'

const daySeconds = 86_400
/** Maximum number of hourly or daily floating-rate points. */
const maxPoints = 2_000
/** Maximum number of days with fills, over all series. */
const maxFixedPoints = 4_000
const defaultDays = 365

/**
 * Creates the reader for past rates. It returns null for an unknown pool.
 *
 * The reader throws {@link InvalidInputError} with path `from` if the range is empty or too long.
 */
export function createReadRateHistory({
  store,
  clock,
}: Pick<ServiceDeps, 'store' | 'clock'>): (filters: RateHistoryFilters) => Promise<RateHistory | null> {
  return async (filters) => {
    const { poolId } = filters
    const to = hourOf(filters.to ?? chainNow(clock))
    const from = hourOf(filters.from ?? Math.max(0, to - defaultDays * daySeconds))
    if (from > to) throw new InvalidInputError('must not be after `to`.', { path: 'from' })
    if (to - from > maxPoints * daySeconds) {
      throw new InvalidInputError(`must be at most ${maxPoints} days before \`to\`.`, { path: 'from' })
    }
    if (!(await store.listPools()).some((pool) => pool.poolId === poolId)) return null
    const step = to - from > maxPoints * hourSeconds ? daySeconds : hourSeconds
    const [floating, fills, offers] = await Promise.all([
      store.listRatePoints({ poolId, from, to, step }),
      store.listFillDays({ poolId, from, to, limit: maxFixedPoints }),
      store.listOfferDays({ poolId, from, to, limit: maxFixedPoints }),
    ])
    return {
      ...{ poolId, from, to, step },
      floating: floating.map(({ hour: at, ratePerSec, block }) => ({
        ...{ at, ratePerSec, apr: floatingRate(ratePerSec).apr },
        block: Number(block),
      })),
      fixed: bySeries(fills, offers),
    }
  }
}

function bySeries(
  fills: Awaited<ReturnType<Store['listFillDays']>>,
  offers: Awaited<ReturnType<Store['listOfferDays']>>,
): FixedRateHistory[] {
  const all = new Map<Hex, { expiry: number; days: Map<number, FixedRatePoint> }>()
  const add = ({ seriesKey, expiry, day }: { seriesKey: Hex; expiry: number; day: number }, more: object) => {
    const series = all.get(seriesKey) ?? { expiry, days: new Map<number, FixedRatePoint>() }
    all.set(seriesKey, series)
    series.days.set(day, { at: day, ...series.days.get(day), ...more })
  }
  for (const { notional, count, ...day } of fills) add(day, { fills: { ...ratesOf(day), notional, count } })
  for (const { notional, ...day } of offers) add(day, { offer: { ...ratesOf(day), notional } })
  return [...all]
    .map(([seriesKey, { expiry, days }]) => ({
      ...{ seriesKey, expiry },
      points: [...days.values()].sort((a, b) => a.at - b.at),
    }))
    .sort((a, b) => a.expiry - b.expiry || a.seriesKey.localeCompare(b.seriesKey))
}

function ratesOf({ apr, price, expiry }: { apr: number; price?: DatedPrice; expiry: number }) {
  return { apr, ...(price && { effectiveApy: quoteEffectiveApy(price, expiry, price.at) }) }
}
