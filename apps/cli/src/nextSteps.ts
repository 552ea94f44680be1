/** What to do about a refusal of the service, by its code; the sentences of the others say it themselves. */
export const nextSteps = {
  POOL_NOT_FOUND: 'firmquote pools lists the pools that there are',
  SERIES_NOT_FOUND: 'give a day on which a series ends, or an earlier one; firmquote pools lists them',
  SERIES_EXPIRED: 'give a later --expiry; firmquote pools lists the active series',
  NOTIONAL_TOO_SMALL: 'ask for more, with --notional, or --min-notional where you gave it',
  CAPACITY_EXCEEDED: 'ask for less, or for another series; CAPACITY of firmquote pools is what each can still take',
  TAKER_PROOF_INVALID: "see that this machine's clock is right, or ask without a proof: --no-proof",
  TOO_MANY_OPEN: 'wait until your auctions before it have closed, then run it again',
  RATE_LIMITED: 'wait that long, then run it again',
  OVERLOADED: 'run it again in a moment',
  QUOTE_NOT_FOUND: 'see that the hash is of a published quote, or of an auction that has closed',
  STORAGE_UNAVAILABLE: 'run it again in a moment',
} as const

/** Where a transaction may be in a block or not. */
export const lookFirst = 'look for the transaction, and at firmquote positions, before you run it again'
