import { secondsPerYear } from '@firmquote/core'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { floatingCost } from '../../service/floatingCost.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { bestOffer, bestOfSeries, type Offer, type SeriesOffers } from './offers.ts'

/** A debt beside what it costs and what could be done about it. Amounts in raw units of the loan token. */
export type DebtRow = {
  pool: Pool
  /** As the service calls it. */
  protocol: string
  owed: bigint
  /** What `owed` costs in a year at today's floating rate. */
  yearlyCost: bigint
  /** What running positions of the account in this pool have fixed already; may be more than is owed. */
  fixed: bigint
  /** What of `owed` still floats. */
  floats: bigint
  /** The lowest fixed rate of the pool, firm or not. */
  best: Offer | undefined
}

/**
 * Joins an account's debts with their pools, its positions and the offers that there are. A debt whose pool is not known
 * is left out until it is.
 *
 * @param now Unix seconds.
 */
export function joinDebts(
  { debts, positions }: Pick<AccountPositions, 'debts' | 'positions'>,
  pools: readonly Pool[],
  offers: ReadonlyMap<Hex, SeriesOffers>,
  now: number,
): DebtRow[] {
  return debts.flatMap(({ poolId, protocol, debt }) => {
    const pool = pools.find((known) => known.poolId === poolId)
    if (!pool) return []
    const fixed = positions
      .filter((position) => position.role === 'borrower' && position.poolId === poolId && position.expiry > now)
      .reduce((sum, { notional }) => sum + notional, 0n)
    const known = pool.series.flatMap(({ seriesKey }) => offers.get(seriesKey) ?? [])
    return {
      pool,
      protocol,
      owed: debt,
      yearlyCost: floatingCost(debt, pool.floating.ratePerSec, secondsPerYear),
      fixed,
      floats: debt > fixed ? debt - fixed : 0n,
      best: bestOffer(known.flatMap((series) => bestOfSeries(series) ?? [])),
    }
  })
}
