import type { Clock, StoredQuote } from '@firmquote/core'
import type { QuoteRecord } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import { quoteStatusAt } from './quoteStatus.ts'

/** A quote as anyone may see it. One that only an auction has seen belongs to its borrower: its signature is left out. */
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
