import type { RateHistory } from '@firmquote/sdk'
import type { Hex } from 'viem'
import type { RatePoint } from '../../ui/chartLayout.ts'

/** The median rate of a day's fills, with their sum in raw units and their number. */
export type FixedDay = RatePoint & { notional: bigint; count: number }

/**
 * Returns a history's rates since `from` (Unix seconds), oldest first: the floating rates, and each day's fills of one
 * series. Without a series, each day shows the one in which the most was fixed, because a small fill is cheap to make at
 * any rate. Pure.
 */
export function ratesWithin(
  { floating, fixed }: Pick<RateHistory, 'floating' | 'fixed'>,
  { seriesKey, from }: { seriesKey?: Hex | undefined; from: number },
): { floating: RatePoint[]; fixed: FixedDay[] } {
  const days = new Map<number, FixedDay>()
  for (const series of fixed) {
    if (seriesKey !== undefined && series.seriesKey !== seriesKey) continue
    for (const { at, fills } of series.points) {
      if (!fills || fills.notional <= (days.get(at)?.notional ?? 0n)) continue
      days.set(at, { at, percent: fills.apr, notional: fills.notional, count: fills.count })
    }
  }
  // Includes the whole day that contains `from`.
  const firstDay = Math.floor(from / 86_400) * 86_400
  return {
    floating: floating.filter(({ at }) => at >= from).map(({ at, apr }) => ({ at, percent: apr })),
    fixed: [...days.values()].filter(({ at }) => at >= firstDay).sort((a, b) => a.at - b.at),
  }
}
