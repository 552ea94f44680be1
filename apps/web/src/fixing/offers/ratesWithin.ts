import type { RateHistory } from '@firmquote/sdk'
import type { Hex } from 'viem'
import type { RatePoint } from '../../ui/chartLayout.ts'

/**
 * Returns the rates in a history since `from` (Unix seconds), oldest first: the floating rates, and each day's lowest
 * fixed rate for one series or all of them. Pure.
 */
export function ratesWithin(
  { floating, fixed }: Pick<RateHistory, 'floating' | 'fixed'>,
  { seriesKey, from }: { seriesKey?: Hex | undefined; from: number },
): { floating: RatePoint[]; fixed: RatePoint[] } {
  const lowest = new Map<number, number>()
  for (const series of fixed) {
    if (seriesKey !== undefined && series.seriesKey !== seriesKey) continue
    for (const { at, apr } of series.points) lowest.set(at, Math.min(apr, lowest.get(at) ?? apr))
  }
  // Includes the whole day that contains `from`.
  const firstDay = Math.floor(from / 86_400) * 86_400
  return {
    floating: floating.filter(({ at }) => at >= from).map(({ at, apr }) => ({ at, percent: apr })),
    fixed: [...lowest]
      .filter(([at]) => at >= firstDay)
      .map(([at, percent]) => ({ at, percent }))
      .sort((a, b) => a.at - b.at),
  }
}
