import type { Address, Hex } from 'viem'

/** A proven taker's debt in a pool and how much of it is fixed, at a single block. Raw units of the loan token. */
export type TakerDebt = { taker: Address; poolId: Hex; debt: bigint; fixed: bigint }

/** Total notional of an account's open borrower positions in one pool, in raw units. */
export function sumFixed(
  positions: readonly { borrower: Address; poolId: Hex; notional: bigint }[],
  { taker, poolId }: Pick<TakerDebt, 'taker' | 'poolId'>,
): bigint {
  return positions
    .filter((position) => position.borrower.toLowerCase() === taker.toLowerCase() && position.poolId === poolId)
    .reduce((sum, { notional }) => sum + notional, 0n)
}

/** Whether a taker's debt covers another RFQ in addition to the fixed part and the reservations for its open RFQs. */
export function isCovered(notional: bigint, { debt, fixed }: TakerDebt, reserved: bigint): boolean {
  return notional <= debt - fixed - reserved
}
