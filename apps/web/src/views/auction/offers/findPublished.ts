import { type KnownOffer, lowestOffer } from '../../../fixing/offers/knownOffers.ts'

/**
 * Returns the cheapest published quote that fixes exactly `notional` for at most `most`. Amounts are in raw units. Pure.
 */
export function findPublished(
  offers: readonly KnownOffer[],
  { notional, most }: { notional: bigint; most: bigint },
): KnownOffer | undefined {
  return lowestOffer(offers.filter((offer) => offer.firm && offer.notional === notional && offer.vrtAmount <= most))
}
