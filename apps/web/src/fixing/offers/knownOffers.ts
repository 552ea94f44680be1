import { type Pool, submissionWindowSeconds } from '@firmquote/react'
import type { RFQObservation, StoredQuote } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { effectiveApyOf } from '../outcome/effectiveApy.ts'

const freshSeconds = 3_600

/** A maker's price for one series. Amounts are in raw units of the loan token. */
export type KnownOffer = {
  /**
   * Whether the offer is a published, signed quote that can be taken in full. If false, the offer was made to the
   * borrower of an auction.
   */
  firm: boolean
  hash: Hex
  /** Unix seconds. */
  expiry: number
  notional: bigint
  vrtAmount: bigint
  /**
   * The time as of which the rate applies, in Unix seconds: now for a firm offer, or the auction's time for an observed
   * one.
   */
  at: number
}

/**
 * Returns all known prices for active series: published quotes that `account` can take now, and observations from
 * auctions. Pure.
 *
 * @param now Unix seconds.
 */
export function knownOffers({
  pools,
  quotes,
  observations,
  account,
  now,
}: {
  pools: readonly Pool[]
  quotes: readonly StoredQuote[]
  observations: readonly RFQObservation[]
  account: Address | undefined
  now: number
}): Map<Hex, KnownOffer[]> {
  const running = pools.flatMap(({ series }) => series).filter(({ expiry }) => expiry > now)
  return new Map(
    running.map(({ seriesKey, expiry }) => {
      const firm = quotes
        .filter((stored) => stored.quote.seriesKey === seriesKey && isTakeable(stored, account, now))
        .map(({ hash, quote: { notional, vrtAmount } }) => {
          return { firm: true, hash, expiry, notional, vrtAmount, at: now }
        })
      const seen = observations
        .filter((observation) => observation.seriesKey === seriesKey && observation.notional > 0n)
        .map(({ hash, notional, vrtAmount, observedAt }) => {
          return { firm: false, hash, expiry, notional, vrtAmount, at: Math.floor(observedAt / 1000) }
        })
        .filter(({ at }) => at < expiry)
      return [seriesKey, [...firm, ...seen]]
    }),
  )
}

/** Returns the offer with the lowest unrounded annual rate. In a tie, the first offer wins. Pure. */
export function lowestOffer(offers: readonly KnownOffer[]): KnownOffer | undefined {
  return offers.reduce<KnownOffer | undefined>(
    (best, offer) => (best && !isLower(offer, best) ? best : offer),
    undefined,
  )
}

/** Returns the offers from the last hour or, if none, from the last auction. Pure. */
export function latestOffers(offers: readonly KnownOffer[], now: number): readonly KnownOffer[] {
  const fresh = offers.filter(({ at }) => at >= now - freshSeconds)
  if (fresh.length > 0) return fresh
  const last = Math.max(...offers.map(({ at }) => at))
  return offers.filter(({ at }) => at === last)
}

/** Returns an offer's effective APY in percent, at the time of the offer. Pure. */
export function knownApy(offer: KnownOffer): number {
  return effectiveApyOf(offer, offer.expiry, offer.at)
}

/**
 * Whether the account can take a published quote. A contract's signature counts only once one of its quotes has been
 * filled. Pure.
 */
export function isTakeable(
  { quote, status, executable, unproven }: StoredQuote,
  account: Address | undefined,
  now: number,
): boolean {
  if (status !== 'active' || executable !== true || unproven) return false
  if (quote.signature === undefined || quote.notional === 0n) return false
  if (quote.deadline < BigInt(now + submissionWindowSeconds)) return false
  return isAddressEqual(quote.taker, zeroAddress) || (account !== undefined && isAddressEqual(quote.taker, account))
}

function isLower(a: KnownOffer, b: KnownOffer): boolean {
  const yearly = (x: KnownOffer, y: KnownOffer) => x.vrtAmount * y.notional * BigInt(y.expiry - y.at)
  return yearly(a, b) < yearly(b, a)
}
