import type { QuoteStatus } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'

/**
 * Where a stored quote stands. How it ended on the chain the store knows, from the synced events; that its time is over,
 * its own deadline's or its series', shows only here.
 *
 * @param now Unix seconds.
 */
export function quoteStatusAt({ status, quote, seriesExpiry }: QuoteRecord, now: bigint): QuoteStatus {
  if (status !== 'active') return status
  const over = quote.deadline < now || (seriesExpiry !== undefined && BigInt(seriesExpiry) <= now)
  return over ? 'expired' : 'active'
}
