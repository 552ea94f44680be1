import type { Pool } from '@firmquote/react'
import type { Hex } from 'viem'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import { termPrices } from '../../fixing/offers/termPrices.ts'

/** The known fixed rate of one maturity, at the requested size or the part that the term can take. Raw units. */
export type CurvePoint = RateAtSize & {
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
}

/**
 * Known rates of each maturity at a size, soonest first. Maturities without one are left out. Pure.
 *
 * @param offers by series.
 * @param at.size raw units.
 * @param at.now Unix seconds.
 */
export function curvePoints(
  pool: Pool,
  offers: ReadonlyMap<Hex, readonly KnownOffer[]>,
  { size, now }: { size: bigint; now: number },
): CurvePoint[] {
  return termPrices(pool, offers, { wanted: size, now }).flatMap(({ series: { seriesKey, expiry }, price }) =>
    price === null ? [] : [{ ...price, seriesKey, expiry }],
  )
}

/** Sizes with firm offers, most common first. Pure. */
export function firmSizes(offers: ReadonlyMap<Hex, readonly KnownOffer[]>): bigint[] {
  const counts = new Map<bigint, number>()
  for (const { firm, notional } of [...offers.values()].flat()) {
    if (firm) counts.set(notional, (counts.get(notional) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([size]) => size)
}
