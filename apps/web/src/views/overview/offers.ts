import { quoteApr, type RFQObservation, type StoredQuote } from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { Pool } from '../../service/serviceContext.ts'

/** A fixed rate that someone has offered for one series. Amounts in raw units of the loan token. */
export type Offer = {
  /** `firm`: published and signed, can be taken. `indicative`: seen in an auction, for its borrower alone. */
  kind: 'firm' | 'indicative'
  hash: Hex
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
  notional: bigint
  vrtAmount: bigint
  /** When the rate was looked at, Unix seconds: now for a firm quote, the time of the auction for an indicative one. */
  at: number
}

/** The best of each kind that a series has. */
export type SeriesOffers = { firm?: Offer; indicative?: Offer }

/**
 * Finds the best offers of every series that is still running. Firm are published quotes that can be taken now, by
 * anyone or by `account`. Indicative is what auctions have seen: quotes that still stand, and where a series has none of
 * those, all of its last auction.
 *
 * @param now Unix seconds.
 */
export function findOffers({
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
}): Map<Hex, SeriesOffers> {
  const running = pools.flatMap(({ series }) => series).filter(({ expiry }) => expiry > now)
  return new Map(
    running.map(({ seriesKey, expiry }) => {
      const firm = quotes
        .filter(({ quote }) => quote.seriesKey === seriesKey)
        .filter((stored) => isOpenTo(stored, account))
        .map(({ hash, quote: { notional, vrtAmount } }): Offer => {
          return { kind: 'firm', hash, seriesKey, expiry, notional, vrtAmount, at: now }
        })
      const indicative = latest(observations.filter((seen) => seen.seriesKey === seriesKey))
        .filter(({ observedAt, notional }) => seconds(observedAt) < expiry && notional > 0n)
        .map(({ hash, notional, vrtAmount, observedAt }): Offer => {
          return { kind: 'indicative', hash, seriesKey, expiry, notional, vrtAmount, at: seconds(observedAt) }
        })
      return [seriesKey, pick({ firm: bestOffer(firm), indicative: bestOffer(indicative) })]
    }),
  )
}

/** The offer with the lowest yearly rate, compared exactly; of equal ones the first. */
export function bestOffer(offers: readonly Offer[]): Offer | undefined {
  return offers.reduce<Offer | undefined>((best, offer) => (best && !isLower(offer, best) ? best : offer), undefined)
}

/** The better of a series' two offers; of equal ones the firm one, since it can be taken. */
export function bestOfSeries({ firm, indicative }: SeriesOffers): Offer | undefined {
  return bestOffer([firm, indicative].filter((offer) => offer !== undefined))
}

/** An offer's rate, when it was looked at, as simple APR in percent. */
export function offerApr(offer: Offer): number {
  return quoteApr(offer, offer.expiry, offer.at)
}

/**
 * What it costs to fix a debt at an offer's rate from now to its maturity.
 *
 * @param notional raw units.
 * @param now Unix seconds, before the maturity.
 * @returns raw units, rounded up.
 */
export function offerCost(offer: Offer, notional: bigint, now: number): bigint {
  const cost = notional * offer.vrtAmount * BigInt(offer.expiry - now)
  const divisor = offer.notional * BigInt(offer.expiry - offer.at)
  return (cost + divisor - 1n) / divisor
}

function isOpenTo({ quote, executable }: StoredQuote, account: Address | undefined): boolean {
  if (executable !== true || quote.signature === undefined || quote.notional === 0n) return false
  return isAddressEqual(quote.taker, zeroAddress) || (account !== undefined && isAddressEqual(quote.taker, account))
}

function latest(seen: readonly RFQObservation[]): readonly RFQObservation[] {
  const standing = seen.filter(({ executable }) => executable)
  if (standing.length > 0) return standing
  const last = seen.reduce<RFQObservation | undefined>((a, b) => (a && a.observedAt >= b.observedAt ? a : b), undefined)
  return seen.filter(({ rfqId }) => rfqId === last?.rfqId)
}

function isLower(a: Offer, b: Offer): boolean {
  const yearly = (x: Offer, y: Offer) => x.vrtAmount * y.notional * BigInt(y.expiry - y.at)
  return yearly(a, b) < yearly(b, a)
}

function pick({ firm, indicative }: { firm: Offer | undefined; indicative: Offer | undefined }): SeriesOffers {
  return { ...(firm && { firm }), ...(indicative && { indicative }) }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
