// Why: docs/decisions/0038-why-a-quote-lost.md
import { type AuctionDistanceMessage, secondsPerYear } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { rankOutcomes } from './auctionOutcome.ts'
import type { AuctionRecord } from './auctionRecord.ts'

/** A quote of a closed auction that was not the best, and about how far it was from the best one. */
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

/** By how much bounds are moved: from 2.5 basis points down to 5 up, so that the first one is at 2.5 to 10. */
const shifts = { least: -2_500_000n, most: 5_000_000n }

/**
 * Draws by how much the bounds of one auction are moved, in millionths of a basis point, from four random bytes.
 *
 * All bounds are moved alike, for all makers alike. Were they stretched by one factor, the places of two bounds would give the
 * factor, and with it the best rate; drawn for each bound, they could be so that only one rate fits all; drawn for each maker,
 * many keys would average them away. Like this, many keys that find all three bounds find the sum of the best rate and the shift,
 * and nothing else: of the best rate they learn that it lies within 7.5 basis points.
 */
export function drawShift(bytes: Uint8Array): bigint {
  const drawn = bytes.slice(0, 4).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return shifts.least + ((shifts.most - shifts.least) * drawn) / 2n ** 32n
}

/**
 * How far the quotes of a closed auction were from the best one, by simple APR at the close, with bounds that are moved by
 * `shift`; nothing where no quote counts as the best.
 */
export function auctionDistances({ rfq, quotes, close }: AuctionRecord, shift: bigint): QuoteDistance[] {
  const [first, ...others] = rankOutcomes(quotes)
  if (close === null || first?.outcome !== 'best') return []
  const best = first.accepted.quote
  const term = BigInt(Math.max(rfq.expiry - Math.floor(close.closedAt / 1_000), 1))
  return others.map(({ accepted: { hash, quote } }) => {
    const { maker, notional, vrtAmount } = quote
    // Of two fractions over the same denominator, so that nothing is rounded.
    const difference =
      (vrtAmount * best.notional - best.vrtAmount * notional) * BigInt(secondsPerYear) * 10_000n * perBasisPoint
    const denominator = notional * best.notional * term
    const bound = bounds.find(({ most }) => difference <= (most + shift) * denominator)
    return { maker, hash, notional, distance: bound?.distance ?? 'beyond' }
  })
}
