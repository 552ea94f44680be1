/** The statuses of a stored quote. */
export const quoteStatuses = ['active', 'filled', 'cancelled', 'nonce_raised', 'expired'] as const

/** One of {@link quoteStatuses}. */
export type QuoteStatus = (typeof quoteStatuses)[number]
