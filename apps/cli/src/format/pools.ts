import { formatPoolId, type PoolRates } from '@firmquote/core'
import { showAmount, showInstant, showRate } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const columns = [
  { title: '#', right: true },
  { title: 'POOL' },
  { title: 'FLOATING', right: true },
  { title: 'APY', right: true },
  { title: 'EXPIRY' },
  { title: 'SERIES' },
  { title: 'BEST', right: true },
  { title: 'EFF. APY', right: true },
  { title: 'QUOTES', right: true },
  { title: 'DEPTH', right: true },
  { title: 'CAPACITY', right: true },
]

/**
 * Renders pools, with one line per active series. Every line repeats the pool's number and floating rate. `FLOATING`
 * and `BEST` are simple. Each is followed by the rate that can be compared across terms and with the floating rate.
 */
export function renderPools(pools: readonly { number: number; pool: PoolRates }[], style: Style): string {
  const rows = pools.flatMap(({ number, pool: { poolId, loanToken, floating, series } }) => {
    const pool = [String(number), formatPoolId(poolId), showRate(floating.apr), showRate(floating.apy)]
    if (series.length === 0) return [[...pool, 'no active series', '-', '-', '-', '0', '-', '-']]
    return series.map(({ seriesKey, expiry, bestApr, bestEffectiveApy, depth, capacity }) => [
      ...pool,
      showInstant(expiry),
      formatPoolId(seriesKey),
      showRate(bestApr),
      showRate(bestEffectiveApy),
      String(depth.quotes),
      showAmount(depth.notional, loanToken),
      showAmount(capacity, loanToken),
    ])
  })
  return renderTable(columns, rows, style)
}
