import type { Hex } from 'viem'
import { effectiveApyOf } from '../outcome/effectiveApy.ts'
import { type Cover, coverSize } from './coverSize.ts'
import { type KnownOffer, latestOffers, lowestOffer } from './knownOffers.ts'

type Price = { notional: bigint; effectiveApy: number; cost: bigint }

/**
 * The price of published quotes that can be taken now. If there are several, `together` lists all of them.
 */
export type FirmPrice = Price & { kind: 'firm'; hash: Hex; together?: readonly [Hex, ...Hex[]] }

/**
 * The cost of fixing an amount until maturity. `notional` and `cost` are in raw units. `effectiveApy` is in percent, or
 * infinity.
 */
export type RateAtSize = FirmPrice | (Price & { kind: 'estimate'; basis: Basis })

/** The price behind an estimate, and the amount that the price is for. */
export type Basis = {
  from: 'offer' | 'auction'
  /** Raw units. */
  notional: bigint
  /** Unix seconds. For a takeable offer, this is the current time. */
  at: number
}

/**
 * Returns the cost of fixing `notional`, or null without offers. If takeable quotes add up to exactly `notional`, the
 * cost is firm: the lowest sum of such quotes. Otherwise, the cost is estimated by applying the rate of the offer closest
 * in size to the remaining term, rounded up. Pure.
 *
 * @param offers Offers for one series.
 * @param at.notional Raw units, above zero.
 * @param at.now Unix seconds, before the maturity.
 */
export function rateAtSize(
  offers: readonly KnownOffer[],
  { notional, now }: { notional: bigint; now: number },
): RateAtSize | null {
  const cover = coverSize(offers, { notional, limit: notional })
  if (cover?.notional === notional) return firmPrice(cover, now)
  const like = lowestOffer(latestOffers(nearest(offers, notional), now))
  if (!like) return null
  const cost = scaled(like, notional, now)
  const basis: Basis = { from: like.firm ? 'offer' : 'auction', notional: like.notional, at: like.at }
  return { ...priceOf({ ...like, notional }, cost, now), kind: 'estimate', basis }
}

/**
 * Returns the price of the published quotes that fix most of `notional` now, or null if they fix less than a twentieth
 * of it. There are at most two, because a wallet may ask for a confirmation of each. Pure.
 *
 * @param offers Offers for one series.
 * @param at.limit Maximum cost of `notional`, in raw units.
 * @param at.now Unix seconds, before the maturity.
 */
export function firmNow(
  offers: readonly KnownOffer[],
  { notional, limit, now }: { notional: bigint; limit: bigint; now: number },
): FirmPrice | null {
  const cover = coverSize(offers, { notional, limit, most: 2 })
  return cover && cover.notional * 20n >= notional ? firmPrice(cover, now) : null
}

function firmPrice({ offers, notional, cost }: Cover, now: number): FirmPrice {
  const [{ hash, expiry }, ...more] = offers
  const together = [hash, ...more.map((offer) => offer.hash)] as const
  return { ...priceOf({ notional, expiry }, cost, now), kind: 'firm', hash, ...(more.length > 0 && { together }) }
}

/**
 * Returns the offers between half and twice the given size or, if none, those closest in size.
 */
function nearest(offers: readonly KnownOffer[], notional: bigint): readonly KnownOffer[] {
  const about = offers.filter((offer) => offer.notional <= 2n * notional && notional <= 2n * offer.notional)
  if (about.length > 0) return about
  // Compare size ratios by cross-multiplication.
  const isNearer = (a: KnownOffer, b: KnownOffer) => {
    const [[aMore, aLess], [bMore, bLess]] = [inOrder(a.notional, notional), inOrder(b.notional, notional)]
    return aMore * bLess < bMore * aLess
  }
  return offers.filter((offer) => !offers.some((other) => isNearer(other, offer)))
}

function inOrder(a: bigint, b: bigint): [more: bigint, less: bigint] {
  return a > b ? [a, b] : [b, a]
}

function scaled({ expiry, at, notional: of, vrtAmount }: KnownOffer, notional: bigint, now: number): bigint {
  const divisor = of * BigInt(expiry - at)
  return (notional * vrtAmount * BigInt(expiry - now) + divisor - 1n) / divisor
}

function priceOf({ notional, expiry }: Pick<KnownOffer, 'notional' | 'expiry'>, cost: bigint, now: number): Price {
  return { notional, cost, effectiveApy: effectiveApyOf({ notional, vrtAmount: cost }, expiry, now) }
}
