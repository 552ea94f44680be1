import { chooseQuotes } from '@firmquote/core'
import { zeroAddress } from 'viem'
import type { KnownOffer } from './knownOffers.ts'

/** Quotes to take together, best first, with the sum of their amounts and costs in raw units. */
export type Cover = { offers: readonly [KnownOffer, ...KnownOffer[]]; notional: bigint; cost: bigint }

/**
 * Chooses the published quotes that fix as much of `notional` as possible, at the lowest cost. Each is taken whole. The
 * choice never exceeds the amount. With more than 20 quotes, the search is bounded, and may miss the best choice.
 * Returns null if no quote fits. Pure.
 *
 * @param offers Offers for one series.
 * @param options.limit Maximum cost of `notional`, in raw units. A quote above its pro-rata share is left out.
 * @param options.most Maximum number of quotes. Default 4, because more are not taken together.
 */
export function coverSize(
  offers: readonly KnownOffer[],
  { notional, limit, most = 4 }: { notional: bigint; limit: bigint; most?: number },
): Cover | null {
  // The makers' funds are unknown here. The take checks them.
  const published = offers.flatMap((offer) => (offer.firm ? { ...offer, maker: zeroAddress } : []))
  const { quotes, ...sums } = chooseQuotes(published, { notional, maxVrtAmount: limit, maxTakes: most })
  const [first, ...more] = quotes
  return first ? { offers: [first, ...more], notional: sums.notional, cost: sums.cost } : null
}
