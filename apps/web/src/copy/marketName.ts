import type { Pool } from '@firmquote/react'
import type { Words } from './words.ts'

/** A market's name: its loan token and its collateral. */
export function marketName({ collateral, loanToken, poolId }: Pool, { texts, formats }: Words): string {
  return collateral
    ? texts.common.market(loanToken.symbol, collateral.symbol)
    : texts.common.marketWithoutCollateral(loanToken.symbol, formats.poolId(poolId))
}
