import type { QuoteAckMessage } from '@firmquote/core'

/**
 * Whether it remains unknown after an acknowledgement if the quote was stored. The quote then counts as outstanding, and only
 * the same quote may be sent again.
 */
export function isOutcomeUnknown(ack: QuoteAckMessage): boolean {
  return ack.status === 'rejected' && ack.code === 'OUTCOME_UNKNOWN'
}
