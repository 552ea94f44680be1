/** Hints for the service's refusals, by code. The messages of other codes already say what to do. */
export const nextSteps = {
  POOL_NOT_FOUND: 'firmquote pools lists all pools',
  SERIES_NOT_FOUND: 'use the expiry day of a series, or an earlier day; firmquote pools lists the series',
  SERIES_EXPIRED: 'use a later --expiry; firmquote pools lists the active series',
  MARKET_HALTED: 'use another series, or wait; firmquote pools shows what is halted',
  NOTIONAL_TOO_SMALL: 'increase --notional, or --min-notional if you gave it',
  CAPACITY_EXCEEDED: 'request less, or use another series; firmquote pools shows the remaining CAPACITY of each',
  TAKER_PROOF_INVALID: "check this machine's clock, or skip the proof with --no-proof",
  TOO_MANY_OPEN: 'wait until your earlier auctions have closed, then run it again',
  RATE_LIMITED: 'wait until then, and run it again',
  OVERLOADED: 'run it again in a moment',
  QUOTE_NOT_FOUND: 'check that the hash belongs to a published quote or a closed auction',
  STORAGE_UNAVAILABLE: 'run it again in a moment',
} as const

/** Hint for a transaction with an unknown outcome. */
export const lookFirst = 'check the transaction and firmquote positions before you run it again'
