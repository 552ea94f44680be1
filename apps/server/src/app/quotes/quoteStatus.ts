import type { QuoteStatus } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'

/**
 * A stored quote's status. The store learns from synced events how a quote ended on-chain. An active quote is valid
 * through the second of its deadline and expires after it, or at the expiry of its series.
 *
 * @param now Unix seconds.
 */
export function quoteStatusAt({ status, quote, seriesExpiry }: QuoteRecord, now: bigint): QuoteStatus {
  if (status !== 'active') return status
  const expired = quote.deadline < now || (seriesExpiry !== undefined && BigInt(seriesExpiry) <= now)
  return expired ? 'expired' : 'active'
}
