import type { Token } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'

/** How much of a debt is fixed. Raw units of the loan token. */
export type DebtShare = {
  owed: bigint
  /** What running positions of the account as borrower have fixed; may be more than is owed. */
  fixed: bigint
  /** What is left to fix: the base of every amount that the page proposes. Zero where only dust is left. */
  unfixed: bigint
  /** What is fixed beyond the debt, which is a bet on the floating rate. Zero where it is dust. */
  overfixed: bigint
}

/**
 * Debts of an account in a pool less the positions that still run. What is less than a ten-thousandth of the debt is dust, such
 * as the interest of the days since it was fixed, and not worth a transaction: it counts as fixed. Pure.
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

/** What is unfixed of a debt as one would write it: without the fraction of a token, where that is dust. Raw units. Pure. */
export function restOf(
  { owed, unfixed }: Pick<DebtShare, 'owed' | 'unfixed'>,
  { decimals }: Pick<Token, 'decimals'>,
): bigint {
  const fraction = unfixed % 10n ** BigInt(decimals)
  return fraction * 10_000n < owed ? unfixed - fraction : unfixed
}

/** How much more an amount to fix is than what is left of a debt: zero where that is dust. Raw units. Pure. */
export function overfixedBy(amount: bigint, { owed, fixed }: Pick<DebtShare, 'owed' | 'fixed'>): bigint {
  const left = owed > fixed ? owed - fixed : 0n
  return beyondDust(amount - left, owed)
}

function beyondDust(rest: bigint, owed: bigint): bigint {
  return rest * 10_000n < owed || rest < 0n ? 0n : rest
}
