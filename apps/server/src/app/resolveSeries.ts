import type { RFQRequest } from '@firmquote/core'
import type { Chain, Series } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import { chainNow } from './judgeQuote.ts'
import type { OpenRefusal, Outcome } from './service.ts'

/**
 * Finds the series that a borrower means: the exact one, or the pool's active one with the wanted expiry, else the
 * nearest later one.
 *
 * @throws {ChainUnavailableError} when the pool's series cannot be read.
 */
export async function resolveSeries(
  { chain, clock }: { chain: Pick<Chain, 'readSeriesOf' | 'readHead'>; clock: Pick<Clock, 'now'> },
  { poolId, seriesKey, expiry }: RFQRequest,
): Promise<Outcome<Series, OpenRefusal>> {
  const [all, head] = await Promise.all([chain.readSeriesOf(poolId), chain.readHead()])
  if (all === null) return refused({ code: 'POOL_NOT_FOUND', poolId })
  // As in the judges: whichever is later, clock or block, decides what has expired.
  const now = Math.max(Number(chainNow(clock)), Number(head.timestamp))
  const active = all.filter((item) => item.expiry > now)
  const available = active.map((item) => item.expiry)

  if (seriesKey === undefined) {
    const found = active.find((item) => item.expiry >= expiry)
    return found ? { ok: true, value: found } : refused({ code: 'SERIES_NOT_FOUND', poolId, available })
  }
  const found = all.find((item) => item.seriesKey === seriesKey)
  if (!found) return refused({ code: 'SERIES_NOT_FOUND', poolId, available })
  return active.includes(found)
    ? { ok: true, value: found }
    : refused({ code: 'SERIES_EXPIRED', seriesKey, expiry: found.expiry })
}

function refused(rejection: OpenRefusal): Outcome<Series, OpenRefusal> {
  return { ok: false, rejection }
}
