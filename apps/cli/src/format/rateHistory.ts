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

/**
 * Renders a pool's rates, oldest first, one per line: the floating rates, and for each day and term the median of its
 * fills and the best standing offer.
 */
export function renderRateHistory({ floating, fixed }: RateHistory, token: Token, style: Style): string {
  const rows = [
    ...floating.map(({ at, apr, block }) => ({
      at,
      cells: ['floating', showInstant(at), showRate(apr), '-', '-', '-', String(block)],
    })),
    ...fixed.flatMap(({ expiry, points }) =>
      points.flatMap(({ at, fills, offer }) => {
        const row = (kind: string, { apr, notional }: { apr: number; notional: bigint }, count: string) => {
          const [until, size] = [showInstant(expiry), showAmount(notional, token)]
          return { at, cells: [kind, showInstant(at), showRate(apr), until, size, count, '-'] }
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
