import type { QuoteStatus } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'

/**
 * The status of a stored quote. The store knows from synced events how a quote ended on-chain. An active quote expires
 * after its deadline, which is its last second, and at the expiry of its series.
 *
 * @param now Unix seconds.
 */
export function quoteStatusAt({ status, quote, seriesExpiry }: QuoteRecord, now: bigint): QuoteStatus {
  if (status !== 'active') return status
  const expired = quote.deadline < now || (seriesExpiry !== undefined && BigInt(seriesExpiry) <= now)
  return expired ? 'expired' : 'active'
}
