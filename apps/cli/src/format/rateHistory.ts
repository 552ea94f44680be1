import { type RateHistory, ratePerSecToApy } from '@firmquote/core'
import { type FixedRate, showAmount, showInstant, showRate, type Token } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const columns = [
  { title: 'RATE' },
  { title: 'AT' },
  { title: 'APR', right: true },
  { title: 'EFF. APY', right: true },
  { title: 'UNTIL' },
  { title: 'SIZE', right: true },
  { title: 'FILLS', right: true },
  { title: 'BLOCK', right: true },
]

/**
 * Renders a pool's rates, oldest first, one per line: the floating rates, and for each day and term the median of its
 * fills and the best standing offer. The effective APY of a floating rate is its APY.
 */
export function renderRateHistory({ floating, fixed }: RateHistory, token: Token, style: Style): string {
  const rows = [
    ...floating.map(({ at, ratePerSec, apr, block }) => ({
      at,
      cells: ['floating', showInstant(at), showRate(apr), showApy(ratePerSec), '-', '-', '-', String(block)],
    })),
    ...fixed.flatMap(({ expiry, points }) =>
      points.flatMap(({ at, fills, offer }) => {
        const row = (kind: string, { notional, ...rate }: FixedRate & { notional: bigint }, count: string) => {
          const [until, size] = [showInstant(expiry), showAmount(notional, token)]
          const rates = [showRate(rate.apr), showRate(rate.effectiveApy)]
          return { at, cells: [kind, showInstant(at), ...rates, until, size, count, '-'] }
        }
        return [
          ...(fills ? [row('fixed', fills, String(fills.count))] : []),
          ...(offer ? [row('offer', offer, '-')] : []),
        ]
      }),
    ),
  ].sort((one, other) => one.at - other.at)
  return renderTable(
    columns,
    rows.map(({ cells }) => cells),
    style,
  )
}

/** The APY of a floating rate, or a dash if the service reports a rate that has none. */
function showApy(ratePerSec: bigint): string {
  try {
    return showRate(ratePerSecToApy(ratePerSec))
  } catch {
    return showRate(null)
  }
}
