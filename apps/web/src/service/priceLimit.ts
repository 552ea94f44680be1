import type { Pool } from '@firmquote/react'
import { maxVrtAmountOf, type RFQResult } from '@firmquote/sdk'

/** Default limit on a quote's rate, in percentage points above the floating rate. */
export const defaultPointsAbove = 5

/** Returns the maximum rate if the visitor sets no limit, as simple APR in percent. */
export function defaultMaxApr({ floating }: Pick<Pool, 'floating'>): number {
  return floating.apr + defaultPointsAbove
}

/**
 * Returns the maximum cost of an auction's whole notional, in raw units. This is the visitor's limit or, without one,
 * the default maximum rate applied from the auction's start to maturity. Pure.
 */
export function priceLimitOf(
  { notional, maxVrtAmount, expiry, openedAt }: Pick<RFQResult, 'notional' | 'maxVrtAmount' | 'expiry' | 'openedAt'>,
  pool: Pick<Pool, 'floating'>,
): bigint {
  if (maxVrtAmount !== undefined) return maxVrtAmount
  const at = BigInt(Math.floor(openedAt / 1000))
  return maxVrtAmountOf({ maxApr: defaultMaxApr(pool) }, notional, { expiry, at })
}
