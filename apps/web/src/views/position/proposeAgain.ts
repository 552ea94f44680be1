import type { Pool } from '@firmquote/react'
import type { Hex } from 'viem'
import { fixable } from '../../fixing/debt/fixable.ts'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'

/** Terms for fixing again. Amounts are in raw units of the loan token, and `expiry` is in Unix seconds. */
export type Proposal = { poolId: Hex; seriesKey: Hex; expiry: number; notional: bigint; limit: bigint }

/**
 * Proposes the same amount for about the same term, at most the default limit's cost. The amount is at most the unfixed
 * debt and what is available. Returns null if nothing can be fixed. Pure.
 *
 * @param ended The notional that was fixed, and the length of its term in seconds if known.
 * @param unfixed The debt that no other position fixes, in raw units.
 * @param now Unix seconds.
 */
export function proposeAgain(
  pool: Pool,
  { notional, termSeconds }: { notional: bigint; termSeconds: number | undefined },
  { unfixed, now }: { unfixed: bigint; now: number },
): Proposal | null {
  const wanted = notional < unfixed ? notional : unfixed
  const fits = (series: Pool['series'][number]) => !series.halted && fixable(series, wanted).limit === undefined
  const series = defaultSeries(pool.series, now, fits, termSeconds)
  if (!series || series.halted) return null
  const { amount } = fixable(series, wanted)
  if (amount === 0n) return null
  const { seriesKey, expiry } = series
  const terms = { notional: amount, expiry, openedAt: now * 1000 }
  return { poolId: pool.poolId, seriesKey, expiry, notional: amount, limit: priceLimitOf(terms, pool) }
}
