import type { Pool } from '@firmquote/react'
import type { AccountDebt, AccountPositions } from '@firmquote/sdk'
import { type DebtShare, shareOfDebt } from '../../fixing/debt/unfixed.ts'

/** A loan of an account: its market, what the service reads of it, and how much of it is fixed. */
export type Loan = {
  pool: Pool
  /** Undefined where nothing is owed any more, but more is fixed than that. */
  debt: AccountDebt | undefined
  share: DebtShare
}

/**
 * The loans of an account in the order of the pools, those that are more than fixed among them. What is in a pool that is not known
 * is left out until it is. Pure.
 *
 * @param now Unix seconds.
 */
export function joinLoans(
  account: Pick<AccountPositions, 'debts' | 'positions'>,
  pools: readonly Pool[],
  now: number,
): Loan[] {
  return pools
    .map((pool) => ({
      pool,
      debt: account.debts.find(({ poolId }) => poolId === pool.poolId),
      share: shareOfDebt(account, pool.poolId, now),
    }))
    .filter(({ share }) => share.owed > 0n || share.overfixed > 0n)
}
