import { fixedDebt, positionPayout } from '@firmquote/core/chain'
import type { Address, Hex } from 'viem'

/** A proven taker's debt in a pool and how much of it is fixed, at a single block. Raw units of the loan token. */
export type TakerDebt = {
  taker: Address
  poolId: Hex
  debt: bigint
  fixed: bigint
  /** The notional that the taker has already taken in each of its open RFQs. It is also part of `fixed`. */
  taken: ReadonlyMap<string, bigint>
}

/** An unsettled position. `index` is the market's index at its opening, in RAY, and `expiry` is in Unix seconds. */
type OpenPosition = {
  borrower: Address
  poolId: Hex
  notional: bigint
  cost: bigint
  index: bigint
  expiry: number
}

/**
 * Returns how much of an account's debt in a pool is fixed, in raw units.
 *
 * @param at the market's index in RAY and the block's time in Unix seconds.
 */
export function fixedPart(
  positions: readonly OpenPosition[],
  { taker, poolId }: Pick<TakerDebt, 'taker' | 'poolId'>,
  { index, timestamp }: { index: bigint; timestamp: bigint },
): bigint {
  const own = positions.filter(({ borrower }) => borrower.toLowerCase() === taker.toLowerCase())
  return fixedDebt(
    own.map(({ index: indexAtOpen, ...position }) => ({
      ...position,
      accrued: positionPayout({ ...position, indexAtOpen }, index).toBorrower,
    })),
    { poolId, now: Number(timestamp) },
  )
}

/**
 * Sums the debt reserved by a taker's open RFQs, each by public ID and notional. An RFQ reserves its notional less the
 * part that the taker has already taken, which is fixed.
 */
export function sumReserved(rfqs: Iterable<readonly [string, bigint]>, { taken }: Pick<TakerDebt, 'taken'>): bigint {
  let sum = 0n
  for (const [rfqId, notional] of rfqs) {
    const left = notional - (taken.get(rfqId) ?? 0n)
    if (left > 0n) sum += left
  }
  return sum
}

/** Whether a taker's debt covers another RFQ in addition to the fixed part and the reservations for its open RFQs. */
export function isCovered(
  notional: bigint,
  { debt, fixed }: Pick<TakerDebt, 'debt' | 'fixed'>,
  reserved: bigint,
): boolean {
  return notional <= debt - fixed - reserved
}
