import type { Code } from '../quote/rejection.ts'
import { rfqRequestShape, rfqResultShape } from '../wire/index.ts'
import { apiKey, idempotencyKey } from '../wire/primitives.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

/** Errors that opening an auction can return. */
export const openProblems = [
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'MARKET_HALTED',
  'NOTIONAL_TOO_SMALL',
  'CAPACITY_EXCEEDED',
  'TAKER_PROOF_INVALID',
  'TOO_MANY_OPEN',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'CHAIN_UNAVAILABLE',
  'CHAIN_DISAGREES',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly Code[]

/** The headers of a request that opens an auction. */
export const openHeaders = {
  'Idempotency-Key': {
    shape: idempotencyKey,
    description:
      'Makes retries safe: for 24 hours, the same key and body return the same auction, and the same key with another body is rejected. Use at least 128 random bits, and keep the key as secret as the `rfqId`.',
  },
  'X-Api-Key': {
    shape: apiKey,
    description:
      "An integrator's secret key, issued by the operator. RFQs with the key count against its quotas instead of those of the client's network.",
  },
} as const

export const requestQuotes = /* @__PURE__ */ endpoint({
  id: 'requestQuotes',
  method: 'post',
  path: '/rfq/quote',
  tag: 'Auctions',
  summary: 'Open an auction and wait for its quotes',
  description:
    'Sends the request to every connected backer. When the auction closes, returns all quotes, best first. Keep the `rfqId` secret: anyone who has it can read the result.',
  body: rfqRequestShape,
  headers: openHeaders,
  answers: { 200: { description: 'The closed auction.', shape: rfqResultShape } },
  problems: openProblems,
  examples: requestExamples,
})

/** Examples of requests that open an auction. */
export function requestExamples({ poolId, expiry, account }: ExampleFacts) {
  return {
    body: {
      nextSeries: { summary: "The pool's next series, for anyone", value: { poolId, expiry, notional: '1000000000' } },
      capped: {
        summary: 'With a cost limit, only for one account',
        value: { poolId, expiry, notional: '1000000000', maxVrtAmount: '50000000', taker: account },
      },
    },
  }
}
