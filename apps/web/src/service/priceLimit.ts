import type { Pool } from '@firmquote/react'
import { maxVrtAmountOf, type RFQResult } from '@firmquote/sdk'

/** Default limit of a quote's rate, in percentage points above the floating rate. */
export const defaultPointsAbove = 5

/** The maximum rate without a visitor's limit, as simple APR in percent. */
export function defaultMaxApr({ floating }: Pick<Pool, 'floating'>): number {
  return floating.apr + defaultPointsAbove
}

/**
 * The maximum cost of an auction's whole notional, in raw units: the visitor's limit, otherwise the default rate from
 * the auction's start to the maturity. Always defined. Pure.
 */
export function priceLimitOf(
  { notional, maxVrtAmount, expiry, openedAt }: Pick<RFQResult, 'notional' | 'maxVrtAmount' | 'expiry' | 'openedAt'>,
  pool: Pick<Pool, 'floating'>,
): bigint {
  if (maxVrtAmount !== undefined) return maxVrtAmount
  const at = BigInt(Math.floor(openedAt / 1000))
  return maxVrtAmountOf({ maxApr: defaultMaxApr(pool) }, notional, { expiry, at })
}
