// Why: docs/decisions/0070-compared-at-maturity.md
import type { Pool } from '@firmquote/react'
import { apyToRatePerSec, floatingGrowth, type RFQResult } from '@firmquote/sdk'

const ray = 10n ** 27n

/** The default limit on quotes' rates, in percentage points above the floating rate. */
export const defaultPointsAbove = 5

/** Returns the maximum rate if the visitor sets no limit, as effective APY in percent. */
export function defaultMaxApy({ floating }: Pick<Pool, 'floating'>): number {
  return floating.apy + defaultPointsAbove
}

/**
 * Returns a link's limit, or undefined if there is none or it is too high. Anyone can write a link, so its limit must not
 * exceed the default of a day ago. The default falls as the term becomes shorter. Pure.
 *
 * @param terms The link's other terms. Without all of them, the limit is for nothing.
 * @param now Unix seconds.
 */
export function linkedLimit(
  {
    limit,
    notional,
    expiry,
  }: { limit?: bigint | undefined; notional?: bigint | undefined; expiry?: number | undefined },
  pool: Pick<Pool, 'floating'>,
  now: number,
): bigint | undefined {
  if (limit === undefined || notional === undefined || expiry === undefined) return undefined
  return limit <= priceLimitOf({ notional, expiry, openedAt: (now - 86_400) * 1000 }, pool) ? limit : undefined
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
  const left = Math.max(0, expiry - Math.floor(openedAt / 1000))
  const growth = floatingGrowth(apyToRatePerSec(defaultMaxApy(pool)), left)
  return (notional * (growth - ray)) / growth
}
