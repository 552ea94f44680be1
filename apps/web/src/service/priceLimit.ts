// Why: docs/decisions/0077-limits-follow-quotes.md
import type { Pool } from '@firmquote/react'
import { apyToRatePerSec, floatingGrowth, type RFQResult } from '@firmquote/sdk'

const ray = 10n ** 27n

/** The default maximum rate: percentage points above the variable rate, and above the best known fixed rate. */
const points = { least: 0.5, aboveBest: 0.25, most: 5 }

/**
 * Returns the maximum rate if the borrower sets none, as effective APY in percent. The maximum follows the best known
 * rate, because a lower one would leave the auction empty. Without a known rate, the maximum is the highest default.
 * Pure.
 *
 * @param bestApy The best known effective APY of the term, in percent.
 */
export function defaultMaxApy({ floating }: Pick<Pool, 'floating'>, bestApy?: number): number {
  const most = floating.apy + points.most
  if (bestApy === undefined) return most
  return Math.min(most, Math.max(floating.apy + points.least, bestApy + points.aboveBest))
}

/**
 * Returns the cost of fixing `notional` at an effective APY in percent, in raw units, rounded down. Pure.
 *
 * @param terms.from Unix seconds, as `expiry`.
 */
export function costAtApy(
  apy: number,
  { notional, from, expiry }: { notional: bigint; from: number; expiry: number },
): bigint {
  const growth = floatingGrowth(apyToRatePerSec(apy), Math.max(0, expiry - from))
  return (notional * (growth - ray)) / growth
}

/**
 * Returns the maximum cost of an auction's whole notional, in raw units: the request's limit or, without one, the cost
 * at the highest default maximum rate from the auction's start to maturity. Pure.
 */
export function priceLimitOf(
  { notional, maxVrtAmount, expiry, openedAt }: Pick<RFQResult, 'notional' | 'maxVrtAmount' | 'expiry' | 'openedAt'>,
  pool: Pick<Pool, 'floating'>,
): bigint {
  return maxVrtAmount ?? costAtApy(defaultMaxApy(pool), { notional, expiry, from: Math.floor(openedAt / 1000) })
}
