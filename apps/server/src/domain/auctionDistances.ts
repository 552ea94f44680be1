// Why: docs/decisions/0038-why-a-quote-lost.md
import { type AuctionDistanceMessage, secondsPerYear } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { rankOutcomes } from './auctionOutcome.ts'
import type { AuctionRecord } from './auctionRecord.ts'

/** A closed auction's losing quote, and the class of its distance from the best quote. */
export type QuoteDistance = {
  maker: Address
  hash: Hex
  /** Raw units of the loan token. */
  notional: bigint
  distance: AuctionDistanceMessage['distance']
}

/** Rates are compared in millionths of a basis point of simple APR. */
const perBasisPoint = 1_000_000n
const bounds = [
  { distance: 'within_5', most: 5n * perBasisPoint },
  { distance: 'within_25', most: 25n * perBasisPoint },
  { distance: 'within_100', most: 100n * perBasisPoint },
] as const

/**
 * Range of the shift applied to all bounds: from -2.5 to +5 basis points. The first bound, 5 basis points, is then
 * between 2.5 and 10.
 */
const shifts = { min: -2_500_000n, max: 5_000_000n }

/**
 * Draws the shift of an auction's bounds, in millionths of a basis point, from four random bytes.
 *
 * All bounds shift by the same amount, for all makers. If they were instead scaled by a common factor, the positions of
 * two bounds would give the factor and reveal the best rate. A separate shift for each bound could leave only one
 * possible rate. If each maker had its own shift, an attacker with many keys could average the shifts out. With a
 * common shift, an attacker whose many keys locate all three bounds learns only the sum of the best rate and the shift,
 * which leaves the best rate uncertain by 7.5 basis points.
 */
export function drawShift(bytes: Uint8Array): bigint {
  const drawn = bytes.slice(0, 4).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return shifts.min + ((shifts.max - shifts.min) * drawn) / 2n ** 32n
}

/**
 * Classifies how far a closed auction's quotes were from the best one, by simple APR at the close, with bounds moved by
 * `shift`. Returns an empty list if no quote counts as the best.
 */
export function auctionDistances({ rfq, quotes, close }: AuctionRecord, shift: bigint): QuoteDistance[] {
  const [first, ...others] = rankOutcomes(quotes)
  if (close === null || first?.outcome !== 'best') return []
  const best = first.accepted.quote
  const term = BigInt(Math.max(rfq.expiry - Math.floor(close.closedAt / 1_000), 1))
  return others.map(({ accepted: { hash, quote } }) => {
    const { maker, notional, vrtAmount } = quote
    // Compares two fractions over a common denominator, without rounding.
    const difference =
      (vrtAmount * best.notional - best.vrtAmount * notional) * BigInt(secondsPerYear) * 10_000n * perBasisPoint
    const denominator = notional * best.notional * term
    const bound = bounds.find(({ most }) => difference <= (most + shift) * denominator)
    return { maker, hash, notional, distance: bound?.distance ?? 'beyond' }
  })
}
