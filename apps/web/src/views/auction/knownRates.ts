import type { RFQObservation } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { fitsSize } from '../../service/fitsSize.ts'
import type { Pool } from '../../service/serviceContext.ts'

const latelyMs = 3_600_000

/**
 * The best fixed rate known of each of a pool's series: what anyone could take now, else the lowest that an auction has seen
 * within the last hour for about the same size. Simple APR in percent. An estimate either way, neither a firm quote nor an
 * indicative one: it need not be for this borrower. Pure.
 *
 * @param pool as it was measured at the size.
 * @param at.size what is to be fixed, raw units; null where that is not known.
 * @param at.now Unix milliseconds.
 */
export function knownRates(
  pool: Pool,
  observations: readonly RFQObservation[],
  { size, now }: { size: bigint | null; now: number },
): ReadonlyMap<Hex, number> {
  const rates = new Map<Hex, number>()
  for (const { poolId, seriesKey, apr, observedAt, notional } of observations) {
    if (poolId !== pool.poolId || observedAt < now - latelyMs) continue
    if (size !== null && !fitsSize(notional, size)) continue
    rates.set(seriesKey, Math.min(apr, rates.get(seriesKey) ?? apr))
  }
  for (const { seriesKey, bestApr } of pool.series) if (bestApr !== undefined) rates.set(seriesKey, bestApr)
  return rates
}
