import type { Token } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** The fixed part of a debt. Raw units of the loan token. */
export type DebtShare = {
  owed: bigint
  /** Fixed by the account's active borrower positions; may exceed the debt. */
  fixed: bigint
  /** Left to fix, the basis of proposed amounts. Zero if only dust is left. */
  unfixed: bigint
  /** Fixed beyond the debt, which is a bet on the floating rate. Zero if it is dust. */
  overfixed: bigint
}

/**
 * An account's debt in a pool minus its active positions. Less than a ten-thousandth of the debt is dust, such as the
 * interest since fixing, and not worth a transaction. It counts as fixed. Pure.
 *
 * @param now Unix seconds.
 */
export function shareOfDebt(
  { debts, positions }: Pick<AccountPositions, 'debts' | 'positions'>,
  poolId: Hex,
  now: number,
): DebtShare {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const owed = sum(debts.filter((debt) => debt.poolId === poolId).map(({ debt }) => debt))
  const fixed = sum(
    positions
      .filter((position) => position.role === 'borrower' && position.poolId === poolId && position.expiry > now)
      .map(({ notional }) => notional),
  )
  return { owed, fixed, unfixed: beyondDust(owed - fixed, owed), overfixed: beyondDust(fixed - owed, owed) }
}

/** The unfixed part of a debt to propose: without the fraction of a token where that is dust. Raw units. Pure. */
export function restOf(
  { owed, unfixed }: Pick<DebtShare, 'owed' | 'unfixed'>,
  { decimals }: Pick<Token, 'decimals'>,
): bigint {
  const fraction = unfixed % 10n ** BigInt(decimals)
  return fraction * 10_000n < owed ? unfixed - fraction : unfixed
}

/** By how much an amount exceeds what is left to fix; zero if that is dust. Raw units. Pure. */
export function overfixedBy(amount: bigint, { owed, fixed }: Pick<DebtShare, 'owed' | 'fixed'>): bigint {
  const left = owed > fixed ? owed - fixed : 0n
  return beyondDust(amount - left, owed)
}

function beyondDust(rest: bigint, owed: bigint): bigint {
  return rest * 10_000n < owed || rest < 0n ? 0n : rest
}
