import { formatPoolId } from '@firmquote/sdk'
import type { Pool } from './serviceContext.ts'

/** What a borrower knows a pool by: the token that is owed, and what it is owed against. */
export function poolName(pool: Pool): string {
  const { collateral, loanToken } = pool
  const { symbol } = loanToken
  return collateral ? `${symbol} against ${collateral.symbol}` : `${symbol} pool ${formatPoolId(pool.poolId)}`
}
