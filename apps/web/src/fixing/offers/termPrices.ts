import type { Pool, Series } from '@firmquote/react'
import type { Hex } from 'viem'
import { type Fixable, fixable } from '../debt/fixable.ts'
import type { KnownOffer } from './knownOffers.ts'
import { type RateAtSize, rateAtSize } from './rateAtSize.ts'

/** A term, what of an amount it can take, and what that costs: null where nothing is known. */
export type TermPrice = { series: Series; fixable: Fixable; price: RateAtSize | null }

/**
 * What fixing an amount costs in each term of a pool that still runs, soonest first. A term that takes less of it has the price of
 * that. Pure.
 *
 * @param offers by series.
 * @param at.wanted raw units.
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
