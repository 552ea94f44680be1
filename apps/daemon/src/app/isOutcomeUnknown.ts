import type { QuoteAckMessage } from '@firmquote/core'

/**
 * Returns whether an acknowledgement leaves it unclear if the quote was stored. In that case, the quote counts as
 * outstanding, and only the same quote may be sent again.
 */
export function isOutcomeUnknown(ack: QuoteAckMessage): boolean {
  return ack.status === 'rejected' && ack.code === 'OUTCOME_UNKNOWN'
}
