import type { Code } from '../quote/rejection.ts'
import { rfqRequestShape, rfqResultShape } from '../wire/index.ts'
import { apiKey, idempotencyKey } from '../wire/primitives.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

/** Errors of opening an auction. */
export const openProblems = [
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'NOTIONAL_TOO_SMALL',
  'CAPACITY_EXCEEDED',
  'TAKER_PROOF_INVALID',
  'TOO_MANY_OPEN',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'CHAIN_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly Code[]

/** The headers of a request that opens an auction. */
export const openHeaders = {
  'Idempotency-Key': {
    shape: idempotencyKey,
    description:
      'Makes retries safe: for 24 hours, the same key and body return the same auction, and another body is rejected. At least 128 random bits, secret like the `rfqId`.',
  },
  'X-Api-Key': {
    shape: apiKey,
    description:
      "An integrator's secret key, issued by the operator. Its RFQs count against the key's quotas instead of the quotas of the client's network.",
  },
} as const

export const requestQuotes = /* @__PURE__ */ endpoint({
  id: 'requestQuotes',
  method: 'post',
  path: '/rfq/quote',
  tag: 'Auctions',
  summary: 'Open an auction and wait for its quotes',
  description:
    'Asks every connected backer, and answers when the auction closes with all quotes, best first. Keep the `rfqId` secret: anyone who knows it can read the result.',
  body: rfqRequestShape,
  headers: openHeaders,
  answers: { 200: { description: 'The closed auction.', shape: rfqResultShape } },
  problems: openProblems,
  examples: requestExamples,
})

/** Example requests that open an auction. */
export function requestExamples({ poolId, expiry, account }: ExampleFacts) {
  return {
    body: {
      nextSeries: { summary: "The pool's next series, for anyone", value: { poolId, expiry, notional: '1000000000' } },
      capped: {
        summary: 'With a cost limit, for one account only',
        value: { poolId, expiry, notional: '1000000000', maxVrtAmount: '50000000', taker: account },
      },
    },
  }
}
