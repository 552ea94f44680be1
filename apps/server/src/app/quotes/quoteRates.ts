import { quoteApr, quoteEffectiveApy, type StoredQuote } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'
import { quoteStatusAt } from './quoteStatus.ts'

/** A stored quote's rates, as of one time. */
export type QuoteRates = Pick<StoredQuote, 'apr' | 'effectiveApy'>

/**
 * A stored quote's rates as of `now` (Unix seconds). For a quote that has ended, they are as of its creation. Without a
 * known expiry, the result is the stored APR alone.
 */
export function quoteRatesAt(kept: QuoteRecord, now: bigint): QuoteRates {
  const { quote, seriesExpiry, createdAt, apr } = kept
  if (seriesExpiry === undefined) return { apr }
  const isActive = quoteStatusAt(kept, now) === 'active'
  const at = isActive ? Number(now) : Math.min(Math.floor(createdAt / 1000), seriesExpiry - 1)
  return { apr: quoteApr(quote, seriesExpiry, at), effectiveApy: quoteEffectiveApy(quote, seriesExpiry, at) }
}
