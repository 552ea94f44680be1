import type { Pool } from '@firmquote/react'
import type { AccountDebt, AccountPositions } from '@firmquote/sdk'
import { type DebtShare, shareOfDebt } from '../../fixing/debt/unfixed.ts'

/** An account's loan: its market, its debt as reported by the service, and how much is fixed. */
export type Loan = {
  pool: Pool
  /** Undefined if there is no debt but a position still fixes a rate. */
  debt: AccountDebt | undefined
  share: DebtShare
}

/**
 * Returns an account's loans in the order of the pools, including overfixed ones. Omits loans in unknown pools. Pure.
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
