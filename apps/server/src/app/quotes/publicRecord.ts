import type { Clock, StoredQuote } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import { quoteStatusAt } from './quoteStatus.ts'

/**
 * Creates the public form of a stored quote. The signature of an auction's unpublished quote belongs to its borrower
 * and is left out.
 */
export function createPublicRecord(clock: Pick<Clock, 'now'>): (kept: QuoteRecord, unproven?: boolean) => StoredQuote {
  return (kept, unproven = false) => {
    const { listed, quote, seriesExpiry: _, secret: __, ...rest } = kept
    const { signature, ...terms } = quote
    return {
      ...rest,
      quote: listed ? { ...terms, signature } : terms,
      status: quoteStatusAt(kept, chainNow(clock)),
      ...(unproven && { unproven }),
    }
  }
}
