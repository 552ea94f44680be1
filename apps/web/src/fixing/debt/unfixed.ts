import { fixedDebt } from '@firmquote/core/chain'
import type { Token } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** The fixed and unfixed parts of a debt, in raw units of the loan token. */
export type DebtShare = {
  owed: bigint
  /** The amount fixed by the account's active positions as borrower, with accrued interest. May exceed the debt. */
  fixed: bigint
  /** The amount left to fix, on which proposals are based. The amount is zero if only dust is left. */
  unfixed: bigint
  /** The amount fixed beyond the debt: a bet on the floating rate. Zero if it is dust. */
  overfixed: bigint
}

/**
 * Subtracts an account's active positions from its debt in a pool. A remainder below a ten-thousandth of the debt is
 * dust, such as the interest between the proposal and the take, or the fraction that {@link restOf} drops. Dust counts
 * as fixed because it is not worth a transaction. Pure.
 *
 * @param now Unix seconds.
 */
export function shareOfDebt(
  { debts, positions }: Pick<AccountPositions, 'debts' | 'positions'>,
  poolId: Hex,
  now: number,
): DebtShare {
  const owed = debts.filter((debt) => debt.poolId === poolId).reduce((sum, { debt }) => sum + debt, 0n)
  const fixed = fixedDebt(
    positions.filter(({ role }) => role === 'borrower'),
    { poolId, now },
  )
  return { owed, fixed, unfixed: beyondDust(owed - fixed, owed), overfixed: beyondDust(fixed - owed, owed) }
}

/**
 * Returns the unfixed amount to propose, in raw units. Drops a token amount's fractional part if it is dust. Pure.
 */
export function restOf(
  { owed, unfixed }: Pick<DebtShare, 'owed' | 'unfixed'>,
  { decimals }: Pick<Token, 'decimals'>,
): bigint {
  const fraction = unfixed % 10n ** BigInt(decimals)
  return fraction * 10_000n < owed ? unfixed - fraction : unfixed
}

/** Returns how much an amount exceeds the amount left to fix, in raw units, or zero if the excess is dust. Pure. */
export function overfixedBy(amount: bigint, { owed, fixed }: Pick<DebtShare, 'owed' | 'fixed'>): bigint {
  const left = owed > fixed ? owed - fixed : 0n
  return beyondDust(amount - left, owed)
}

function beyondDust(rest: bigint, owed: bigint): bigint {
  return rest * 10_000n < owed || rest < 0n ? 0n : rest
}
