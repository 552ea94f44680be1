import type { QuoteStatus } from '@firmquote/core'

/** A stored quote after an on-chain change. */
export type ChangedQuote = {
  status: QuoteStatus
  /** Whether the last update sent to its maker reported its end. */
  told: boolean
  /** Whether its deadline has passed. */
  isOver: boolean
}

/** The status in an update. */
export type StatusUpdate = Exclude<QuoteStatus, 'expired'>

/**
 * Returns the update to send to a quote's maker, or null. A quote that expired before a raised nonce could invalidate
 * it needs no update. A quote is reported as active again only if its end was reported.
 */
export function statusUpdateOf({ status, told, isOver }: ChangedQuote): StatusUpdate | null {
  if (status === 'filled' || status === 'cancelled') return status
  if (status === 'nonce_raised') return told || !isOver ? status : null
  return told ? 'active' : null
}
