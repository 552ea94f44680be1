import type { Pool } from '@firmquote/react'
import type { Words } from './words.ts'

/** What a borrower knows a market by: the token that is owed, and what it is owed against. */
export function marketName({ collateral, loanToken, poolId }: Pool, { texts, formats }: Words): string {
  return collateral
    ? texts.common.market(loanToken.symbol, collateral.symbol)
    : texts.common.marketWithoutCollateral(loanToken.symbol, formats.poolId(poolId))
}
