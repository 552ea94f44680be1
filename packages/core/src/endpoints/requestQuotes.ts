import type { Code } from '../quote/rejection.ts'
import { rfqRequestShape, rfqResultShape } from '../wire/index.ts'
import { apiKey, idempotencyKey } from '../wire/primitives.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

/** Why an auction is not opened. */
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
      'Makes it safe to send the request again: for 24 hours the same key and body give the same auction, another body is refused. Secret like the `rfqId`, at least 128 random bits.',
  },
  'X-Api-Key': {
    shape: apiKey,
    description:
      "An integrator's key: its RFQs count against quotas of its own instead of those of its network. From the operator; secret.",
  },
} as const

export const requestQuotes = /* @__PURE__ */ endpoint({
  id: 'requestQuotes',
  method: 'post',
  path: '/rfq/quote',
  tag: 'Auctions',
  summary: 'Open an auction and wait for its quotes',
  description:
    'Asks every connected backer and answers at the close with all quotes, best first. Anyone who knows the `rfqId` can read the result: keep it secret.',
  body: rfqRequestShape,
  headers: openHeaders,
  answers: { 200: { description: 'The closed auction.', shape: rfqResultShape } },
  problems: openProblems,
  examples: requestExamples,
})

/** Requests that open an auction. */
export function requestExamples({ poolId, expiry, account }: ExampleFacts) {
  return {
    body: {
      nextSeries: { summary: "The pool's next series, for anyone", value: { poolId, expiry, notional: '1000000000' } },
      capped: {
        summary: 'At most so much, for one account alone',
        value: { poolId, expiry, notional: '1000000000', maxVrtAmount: '50000000', taker: account },
      },
    },
  }
}
