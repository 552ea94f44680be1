import type { QuoteAckMessage } from '@firmquote/core'

/**
 * Returns whether an acknowledgement leaves it unknown whether the quote was stored. Such a quote is treated as
 * outstanding, and only the same quote may be sent again.
 */
export function isOutcomeUnknown(ack: QuoteAckMessage): boolean {
  return ack.status === 'rejected' && ack.code === 'OUTCOME_UNKNOWN'
}
