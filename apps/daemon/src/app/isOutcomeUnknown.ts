import type { QuoteAckMessage } from '@firmquote/core'

/**
 * Whether an acknowledgement leaves open if the quote was stored. The quote then counts, and only the same one may be sent
 * again.
 */
export function isOutcomeUnknown(ack: QuoteAckMessage): boolean {
  return ack.status === 'rejected' && ack.code === 'OUTCOME_UNKNOWN'
}
