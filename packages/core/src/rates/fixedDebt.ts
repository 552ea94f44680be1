import type { Hex } from 'viem'

/** A borrower's position. Amounts are in raw units of the loan token. */
export type HedgingPosition = {
  poolId: Hex
  notional: bigint
  /** The floating interest accrued so far: `toBorrower` of `positionPayout`. Missing in answers of older services. */
  accrued?: bigint
  /** Unix seconds. */
  expiry: number
  /** Whether the expiry has passed. Missing in answers of older services. */
  settleable?: boolean
}

/**
 * Returns the part of a debt that positions fix, in raw units of the loan token: the notional of each active position,
 * and the floating interest that it has accrued. The interest belongs to the fixed part, because the position pays it.
 *
 * A position fixes nothing from its expiry on: the debt floats again, whether or not the payout is settled.
 *
 * @param positions the account's positions as borrower, read at the same block as the debt.
 * @param now the block's time in Unix seconds. Applies to positions without `settleable`.
 * @example
 * ```ts
 * const { positions } = await client.getPositions(account.address)
 * const fixed = fixedDebt(positions, { poolId, now: Math.floor(Date.now() / 1000) })
 * ```
 */
export function fixedDebt(
  positions: readonly HedgingPosition[],
  { poolId, now }: { poolId: Hex; now: number },
): bigint {
  return positions
    .filter((position) => position.poolId === poolId && !(position.settleable ?? position.expiry <= now))
    .reduce((sum, { notional, accrued = 0n }) => sum + notional + accrued, 0n)
}
