import type { Pool } from '@firmquote/react'
import { maxVrtAmountOf, type RFQResult } from '@firmquote/sdk'

/** Without a limit of the visitor's own, a quote may be so many percentage points above the floating rate. */
export const defaultPointsAbove = 5

/** What a visitor who sets no limit pays at most, as simple APR in percent. */
export function defaultMaxApr({ floating }: Pick<Pool, 'floating'>): number {
  return floating.apr + defaultPointsAbove
}

/**
 * The most that is paid for all of an auction's notional, raw units: what the visitor has set, else what the default comes to from
 * the start of the auction to the maturity. There always is one. Pure.
 */
export function priceLimitOf(
  { notional, maxVrtAmount, expiry, openedAt }: Pick<RFQResult, 'notional' | 'maxVrtAmount' | 'expiry' | 'openedAt'>,
  pool: Pick<Pool, 'floating'>,
): bigint {
  if (maxVrtAmount !== undefined) return maxVrtAmount
  const at = BigInt(Math.floor(openedAt / 1000))
  return maxVrtAmountOf({ maxApr: defaultMaxApr(pool) }, notional, { expiry, at })
}
