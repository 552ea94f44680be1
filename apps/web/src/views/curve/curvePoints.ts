import type { Pool } from '@firmquote/react'
import type { Hex } from 'viem'
import { type KnownOffer, knownApy, latestOffers } from '../../fixing/offers/knownOffers.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import { termPrices } from '../../fixing/offers/termPrices.ts'

/** The known fixed rate for one maturity, for the requested size or as much of it as can be fixed. Raw units. */
export type CurvePoint = RateAtSize & {
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
  /** The median effective APY of the known quotes of all sizes, in percent. Null for fewer than two. */
  median: number | null
}

/**
 * Returns known rates at a given size for each maturity, nearest first. Omits maturities without a rate. Pure.
 *
 * @param offers Offers by series.
 * @param at.size Raw units.
 * @param at.now Unix seconds.
 */
export function curvePoints(
  pool: Pool,
  offers: ReadonlyMap<Hex, readonly KnownOffer[]>,
  { size, now }: { size: bigint; now: number },
): CurvePoint[] {
  return termPrices(pool, offers, { wanted: size, now }).flatMap(({ series: { seriesKey, expiry }, price }) =>
    price === null
      ? []
      : [{ ...price, seriesKey, expiry, median: medianApy(latestOffers(offers.get(seriesKey) ?? [], now)) }],
  )
}

function medianApy(offers: readonly KnownOffer[]): number | null {
  const rates = offers
    .map(knownApy)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const [low, high] = [rates[Math.ceil(rates.length / 2) - 1], rates[Math.floor(rates.length / 2)]]
  return rates.length < 2 || low === undefined || high === undefined ? null : (low + high) / 2
}

/** Returns the sizes with firm offers, most common first. Pure. */
export function firmSizes(offers: ReadonlyMap<Hex, readonly KnownOffer[]>): bigint[] {
  const counts = new Map<bigint, number>()
  for (const { firm, notional } of [...offers.values()].flat()) {
    if (firm) counts.set(notional, (counts.get(notional) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([size]) => size)
}
