import type { QuoteStatus } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'

/**
 * A stored quote's status. Synced events tell the store how a quote ended on-chain. An active quote is valid through
 * its deadline second, and expires after it or when its series expires.
 *
 * @param now Unix seconds.
 */
export function quoteStatusAt({ status, quote, seriesExpiry }: QuoteRecord, now: bigint): QuoteStatus {
  if (status !== 'active') return status
  const expired = quote.deadline < now || (seriesExpiry !== undefined && BigInt(seriesExpiry) <= now)
  return expired ? 'expired' : 'active'
}
