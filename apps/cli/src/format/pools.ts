import { formatPoolId, type PoolRates, type ServiceHealth } from '@firmquote/core'
import { printable } from './printable.ts'
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
 * Halts follow the table.
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
  return [renderTable(columns, rows, style), ...haltsOf(pools)].join('\n')
}

/** A line for each halt of the listed series, with the operator's message. */
function haltsOf(pools: readonly { pool: PoolRates }[]): string[] {
  const lines = pools.flatMap(({ pool: { poolId, series } }) =>
    series.flatMap(({ seriesKey, halted }) => (halted ? describeHalt({ ...halted, poolId, seriesKey }) : [])),
  )
  return [...new Set(lines)]
}

type HaltedMarket = NonNullable<ServiceHealth['halts']>[number]

/** Describes a halt in one line. */
export function describeHalt({ scope, poolId, seriesKey, since, message }: HaltedMarket): string {
  const id = scope === 'pool' ? poolId : scope === 'series' ? seriesKey : undefined
  const what = scope === 'rfqs' ? 'all new RFQs' : id === undefined ? scope : `the ${scope} ${formatPoolId(id)}`
  const said = message === undefined ? '' : `: ${message}`
  return printable(`The operator has halted ${what} since ${showInstant(Math.floor(since / 1_000))}${said}`)
}
