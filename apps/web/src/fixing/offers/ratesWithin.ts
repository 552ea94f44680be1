import { secondsPerYear } from '@firmquote/core'
import { aprToApy, type RateHistory } from '@firmquote/sdk'
import type { Hex } from 'viem'
import type { RatePoint } from '../../ui/chartLayout.ts'
import { effectiveApyOf } from '../outcome/effectiveApy.ts'

/**
 * The median effective APY of a day's fills, with their total in raw units and their count. For a day without fills, the best
 * standing offer, with its size in raw units and a count of 0.
 */
export type FixedDay = RatePoint & { notional: bigint; count: number }

/**
 * Returns a history's rates since `from` (Unix seconds), oldest first: the floating APY, and each day's fills of one
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
      const apyOf = ({ apr, effectiveApy }: { apr: number; effectiveApy?: number | null }) =>
        effectiveApy ?? effectiveOf(apr, series.expiry - at)
      if (fills) {
        const isLarger = !known?.count || fills.notional > known.notional
        if (isLarger) days.set(at, { at, percent: apyOf(fills), notional: fills.notional, count: fills.count })
      } else if (offer && (!known || (known.count === 0 && apyOf(offer) < known.percent))) {
        days.set(at, { at, percent: apyOf(offer), notional: offer.notional, count: 0 })
      }
    }
  }
  // Includes the whole day containing `from`.
  const firstDay = Math.floor(from / 86_400) * 86_400
  return {
    floating: floating.filter(({ at }) => at >= from).map(({ at, apr }) => ({ at, percent: aprToApy(apr) })),
    fixed: [...days.values()]
      .filter(({ at, percent }) => at >= firstDay && Number.isFinite(percent))
      .sort((a, b) => a.at - b.at),
  }
}

/** Converts a simple APR to the effective APY of a term of `left` seconds, for a history from an older service. */
function effectiveOf(apr: number, left: number): number {
  const share = (apr / 100) * (left / secondsPerYear)
  return effectiveApyOf({ notional: 10n ** 15n, vrtAmount: BigInt(Math.round(share * 1e15)) }, left, 0)
}
