import type { Pool } from '@firmquote/react'
import { maxVrtAmountOf, type RFQResult } from '@firmquote/sdk'

/** The default limit on quotes' rates, in percentage points above the floating rate. */
export const defaultPointsAbove = 5

/** Returns the maximum rate if the visitor sets no limit, as simple APR in percent. */
export function defaultMaxApr({ floating }: Pick<Pool, 'floating'>): number {
  return floating.apr + defaultPointsAbove
}

/**
 * Returns the maximum cost of an auction's whole notional, in raw units: the visitor's limit or, by default, the
 * cost at the default maximum rate from the auction's start to maturity. Pure.
 */
export function priceLimitOf(
  { notional, maxVrtAmount, expiry, openedAt }: Pick<RFQResult, 'notional' | 'maxVrtAmount' | 'expiry' | 'openedAt'>,
  pool: Pick<Pool, 'floating'>,
): bigint {
  if (maxVrtAmount !== undefined) return maxVrtAmount
  const at = BigInt(Math.floor(openedAt / 1000))
  return maxVrtAmountOf({ maxApr: defaultMaxApr(pool) }, notional, { expiry, at })
}
