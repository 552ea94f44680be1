// Why: docs/decisions/0033-rates-at-a-size.md
import { type PoolRates, quoteApr, quoteEffectiveApy } from '@firmquote/core'
import type { Hex } from 'viem'
import { measureDepth } from '../../domain/openNotional.ts'
import { floatingRate, protocolOf } from './lendingMarket.ts'
import type { OfferBook, OpenSeries } from './offerBook.ts'

/** Reads the rates of one or all pools, at one size in raw units or at each series' default size. */
export type ReadPoolRates = (filters: { poolId?: Hex; size?: bigint }) => Promise<PoolRates[]>

/** Creates {@link ReadPoolRates}. */
export function createReadPoolRates(offerBook: OfferBook): ReadPoolRates {
  return async ({ poolId, size }) => {
    const snapshot = await offerBook.snapshot()
    const markets = snapshot.reading.markets.filter(({ pool }) => poolId === undefined || pool.poolId === poolId)
    const series = snapshot.series.filter((one) => markets.some(({ pool }) => pool.poolId === one.poolId))
    const offers = await offerBook.offersAt(snapshot, new Map(series.map((one) => [one, size ?? one.defaultSize])))
    const describe = ({ seriesKey, expiry, capacity, minNotional }: OpenSeries): PoolRates['series'][number] => {
      const { best, ...depth } = measureDepth(offers.get(seriesKey) ?? [])
      const at = Number(snapshot.time)
      const rates = best && {
        bestApr: quoteApr(best, expiry, at),
        bestEffectiveApy: quoteEffectiveApy(best, expiry, at),
      }
      return { seriesKey, expiry, capacity, minNotional, ...rates, depth }
    }
    return markets.map(({ pool, loanToken, collateral, lltv, utilization, ratePerSec }) => ({
      poolId: pool.poolId,
      loanToken,
      protocol: protocolOf(pool.adapter),
      market: pool.market,
      collateral,
      ...(lltv !== null && { lltv }),
      ...(utilization !== null && { utilization }),
      floating: floatingRate(ratePerSec),
      series: series.filter((one) => one.poolId === pool.poolId).map(describe),
    }))
  }
}
