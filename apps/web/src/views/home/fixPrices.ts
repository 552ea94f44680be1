import type { Pool } from '@firmquote/react'
import type { Hex } from 'viem'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import { type FirmPrice, firmNow } from '../../fixing/offers/rateAtSize.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import { costAtApy, defaultMaxApy } from '../../service/priceLimit.ts'

/** The cost of fixing an amount in each term, and the amount that can be fixed now in the chosen term. */
export type FixPrices = {
  /** When the prices were read, in Unix seconds. */
  now: number
  terms: readonly TermPrice[]
  term: TermPrice | undefined
  /** The best known effective APY, in percent: of the term or, if unknown, of the closest term. */
  bestApy: number | undefined
  /** The maximum rate if the borrower sets none, as effective APY in percent. */
  maxApy: number
  /** The published quotes that fix all of the amount or part of it now. */
  firm: FirmPrice | null
}

/**
 * Prices an amount in each of a pool's terms. Pure.
 *
 * @param offers Offers by series.
 * @param at.wanted Raw units, above zero.
 * @param at.now Unix seconds.
 */
export function fixPrices(
  pool: Pool,
  offers: ReadonlyMap<Hex, readonly KnownOffer[]>,
  { wanted, seriesKey, now }: { wanted: bigint; seriesKey: Hex | null; now: number },
): FixPrices {
  const terms = termPrices(pool, offers, { wanted, now })
  const term = terms.find(({ series }) => series.seriesKey === seriesKey)
  const bestApy = term && closestPrice(terms, term)?.effectiveApy
  const maxApy = defaultMaxApy(pool, bestApy)
  return { now, terms, term, bestApy, maxApy, firm: term ? firmOf(term) : null }

  function firmOf({ series: { seriesKey: key, expiry }, fixable: { amount: notional }, price }: TermPrice) {
    if (price?.kind === 'firm') return price
    if (notional === 0n) return null
    const limit = costAtApy(maxApy, { notional, from: now, expiry })
    return firmNow(offers.get(key) ?? [], { notional, limit, now })
  }
}

function closestPrice(terms: readonly TermPrice[], { series }: TermPrice): TermPrice['price'] {
  const distance = (term: TermPrice) => Math.abs(term.series.expiry - series.expiry)
  const [closest] = terms.filter(({ price }) => price !== null).sort((a, b) => distance(a) - distance(b))
  return closest?.price ?? null
}
