import type { Pool, Series } from '@firmquote/react'
import type { Hex } from 'viem'
import { type Fixable, fixable } from '../debt/fixable.ts'
import type { KnownOffer } from './knownOffers.ts'
import { type RateAtSize, rateAtSize } from './rateAtSize.ts'

/**
 * A term, how much of an amount can be fixed in it, and the cost of that part, or null if unknown.
 */
export type TermPrice = { series: Series; fixable: Fixable; price: RateAtSize | null }

/**
 * Returns the cost of fixing an amount in each of a pool's active terms, nearest maturity first. If only part of the
 * amount can be fixed in a term, the cost is for that part. Pure.
 *
 * @param offers Offers by series.
 * @param at.wanted Raw units.
 * @param at.now Unix seconds.
 */
export function termPrices(
  pool: Pool,
  offers: ReadonlyMap<Hex, readonly KnownOffer[]>,
  { wanted, now }: { wanted: bigint; now: number },
): TermPrice[] {
  return pool.series
    .filter(({ expiry }) => expiry > now)
    .toSorted((a, b) => a.expiry - b.expiry)
    .map((series) => {
      const part = fixable(series, wanted)
      const known = offers.get(series.seriesKey) ?? []
      return {
        series,
        fixable: part,
        price: part.amount === 0n ? null : rateAtSize(known, { notional: part.amount, now }),
      }
    })
}
