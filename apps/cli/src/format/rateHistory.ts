import type { RateHistory } from '@firmquote/core'
import { showAmount, showInstant, showRate, type Token } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const columns = [
  { title: 'RATE' },
  { title: 'AT' },
  { title: 'APR', right: true },
  { title: 'UNTIL' },
  { title: 'SIZE', right: true },
  { title: 'FILLS', right: true },
  { title: 'BLOCK', right: true },
]

/** Renders a pool's rates, oldest first, one per line: the floating rates, and for each day and term the median of its fills. */
export function renderRateHistory({ floating, fixed }: RateHistory, token: Token, style: Style): string {
  const rows = [
    ...floating.map(({ at, apr, block }) => ({
      at,
      cells: ['floating', showInstant(at), showRate(apr), '-', '-', '-', String(block)],
    })),
    ...fixed.flatMap(({ expiry, points }) =>
      points.flatMap(({ at, fills }) => {
        if (!fills) return []
        const [until, size] = [showInstant(expiry), showAmount(fills.notional, token)]
        const cells = ['fixed', showInstant(at), showRate(fills.apr), until, size, String(fills.count), '-']
        return [{ at, cells }]
      }),
    ),
  ].sort((one, other) => one.at - other.at)
  return renderTable(
    columns,
    rows.map(({ cells }) => cells),
    style,
  )
}
