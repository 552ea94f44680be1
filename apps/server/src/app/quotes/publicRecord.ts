import type { StoredQuote } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'
import { quoteRatesAt } from './quoteRates.ts'
import { quoteStatusAt } from './quoteStatus.ts'

/**
 * Creates a function that converts a stored quote to its public form. The public form omits the signature of an
 * unpublished auction quote, which only the auction's borrower may see.
 *
 * @param time returns the `quoteTime`.
 */
export function createPublicRecord(time: () => bigint): (kept: QuoteRecord, unproven?: boolean) => StoredQuote {
  return (kept, unproven = false) => {
    // The fields are listed one by one, so that a new stored field is not sent by accident.
    const { hash, createdAt, seenAt, listed, quote } = kept
    const { signature, ...terms } = quote
    const now = time()
    return {
      ...{ hash, ...quoteRatesAt(kept, now), createdAt, ...(seenAt && { seenAt }) },
      quote: listed ? { ...terms, signature } : terms,
      status: quoteStatusAt(kept, now),
      ...(unproven && { unproven }),
    }
  }
}
