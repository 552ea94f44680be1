import type { QuoteStatus } from '@firmquote/core'

/** A stored quote after something has changed about it on the chain. */
export type ChangedQuote = {
  status: QuoteStatus
  /** Whether the last that its maker was told of it is an end. */
  told: boolean
  /** Whether its deadline has passed. */
  isOver: boolean
}

/** What is told of a quote. */
export type StatusUpdate = Exclude<QuoteStatus, 'expired'>

/**
 * What the maker of a quote is told; null for nothing. What time has ended before a raised nonce could is no news, and only
 * what was told is taken back.
 */
export function statusUpdateOf({ status, told, isOver }: ChangedQuote): StatusUpdate | null {
  if (status === 'filled' || status === 'cancelled') return status
  if (status === 'nonce_raised') return told || !isOver ? status : null
  return told ? 'active' : null
}
