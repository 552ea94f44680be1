// Why: docs/decisions/0033-rates-at-a-size.md
import { type PoolRates, quoteApr } from '@firmquote/core'
import { zeroAddress } from 'viem'
import { minNotionalOf } from '../../domain/minNotionalOf.ts'
import { measureDepth } from '../../domain/openNotional.ts'
import type { Series } from '../../ports/chain.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate, protocolOf } from './lendingMarket.ts'
import type { OfferBook } from './offerBook.ts'

/** Divides a series' remaining capacity to get the default size. */
const sizeDivisor = 100n

/** Reads the rates of all pools or of one pool, at one size or at each series' default size. */
export type ReadPoolRates = (filters: { poolId?: string; size?: bigint }) => Promise<PoolRates[]>

/** Creates {@link ReadPoolRates}. */
export function createReadPoolRates({
  limits,
  offerBook,
}: Pick<ServiceDeps, 'limits'> & { offerBook: OfferBook }): ReadPoolRates {
  const dustRule = { divisor: limits.dustDivisor, limits: limits.dustLimits }

  return async ({ poolId, size }) => {
    const snapshot = await offerBook.snapshot()
    const { reading, time } = snapshot
    const tokens = new Map(reading.markets.map(({ pool }) => [pool.poolId, pool.loanToken]))
    const capacityOf = ({ seriesKey }: Series) => reading.capacities.get(seriesKey) ?? 0n
    const minNotional = ({ poolId, cap }: Series) =>
      minNotionalOf({ cap, loanToken: tokens.get(poolId) ?? zeroAddress }, dustRule)
    const defaultSize = (series: Series) => {
      const share = capacityOf(series) / sizeDivisor
      const least = minNotional(series)
      return share > least ? share : least
    }
    const markets = reading.markets.filter(({ pool }) => poolId === undefined || pool.poolId === poolId)
    const wanted = snapshot.series.filter((series) => markets.some(({ pool }) => pool.poolId === series.poolId))
    const sizes = new Map(wanted.map((series) => [series, size ?? defaultSize(series)]))
    const offers = await offerBook.offersAt(snapshot, sizes)
    const describe = (series: Series): PoolRates['series'][number] => {
      const { seriesKey, expiry } = series
      const { best, ...depth } = measureDepth(offers.get(seriesKey) ?? [])
      const bestApr = best && quoteApr(best, expiry, Number(time))
      const capacity = capacityOf(series)
      return {
        seriesKey,
        expiry,
        capacity,
        minNotional: minNotional(series),
        ...(bestApr !== null && { bestApr }),
        depth,
      }
    }
    return markets.map(({ pool, loanToken, collateral, ratePerSec }) => ({
      poolId: pool.poolId,
      loanToken,
      protocol: protocolOf(pool.adapter),
      market: pool.market,
      collateral,
      floating: floatingRate(ratePerSec),
      series: wanted.filter((series) => series.poolId === pool.poolId).map(describe),
    }))
  }
}
