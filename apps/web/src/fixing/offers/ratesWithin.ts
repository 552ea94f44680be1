import type { RateHistory } from '@firmquote/sdk'
import type { Hex } from 'viem'
import type { RatePoint } from '../../ui/chartLayout.ts'

/**
 * The median rate of a day's fills, with their total in raw units and their count. For a day without fills, the best
 * standing offer, with its size in raw units and a count of 0.
 */
export type FixedDay = RatePoint & { notional: bigint; count: number }

/**
 * Returns a history's rates since `from` (Unix seconds), oldest first: the floating rates, and each day's fills of one
 * series. Without a series, each day shows the series in which the most was fixed, because a small fill is cheap to
 * make at any rate. A day without fills shows the best standing offer. Pure.
 */
export function ratesWithin(
  { floating, fixed }: Pick<RateHistory, 'floating' | 'fixed'>,
  { seriesKey, from }: { seriesKey?: Hex | undefined; from: number },
): { floating: RatePoint[]; fixed: FixedDay[] } {
  const days = new Map<number, FixedDay>()
  for (const series of fixed) {
    if (seriesKey !== undefined && series.seriesKey !== seriesKey) continue
    for (const { at, fills, offer } of series.points) {
      const known = days.get(at)
      if (fills) {
        const isLarger = !known?.count || fills.notional > known.notional
        if (isLarger) days.set(at, { at, percent: fills.apr, notional: fills.notional, count: fills.count })
      } else if (offer && (!known || (known.count === 0 && offer.apr < known.percent))) {
        days.set(at, { at, percent: offer.apr, notional: offer.notional, count: 0 })
      }
    }
  }
  // Includes the whole day containing `from`.
  const firstDay = Math.floor(from / 86_400) * 86_400
  return {
    floating: floating.filter(({ at }) => at >= from).map(({ at, apr }) => ({ at, percent: apr })),
    fixed: [...days.values()].filter(({ at }) => at >= firstDay).sort((a, b) => a.at - b.at),
  }
}
