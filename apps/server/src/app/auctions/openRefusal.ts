import type { Rejection } from '@firmquote/core'

/** The reason an auction was not opened. */
export type OpenRefusal = Extract<
  Rejection,
  {
    code:
      | 'POOL_NOT_FOUND'
      | 'SERIES_NOT_FOUND'
      | 'SERIES_EXPIRED'
      | 'MARKET_HALTED'
      | 'NOTIONAL_TOO_SMALL'
      | 'CAPACITY_EXCEEDED'
      | 'TAKER_PROOF_INVALID'
      | 'TOO_MANY_OPEN'
      | 'RATE_LIMITED'
      | 'OVERLOADED'
      | 'CHAIN_UNAVAILABLE'
      | 'CHAIN_DISAGREES'
      | 'STORAGE_UNAVAILABLE'
      | 'IDEMPOTENCY_KEY_REUSED'
  }
>
