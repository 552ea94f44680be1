import type { Code } from '../rejection.ts'
import { rfqRequestShape, rfqResultShape } from '../wire/index.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

/** Why an auction is not opened. */
export const openProblems = [
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'TOO_MANY_OPEN',
  'RATE_LIMITED',
  'CHAIN_UNAVAILABLE',
] as const satisfies readonly Code[]

export const requestQuotes = /* @__PURE__ */ endpoint({
  id: 'requestQuotes',
  method: 'post',
  path: '/rfq/quote',
  tag: 'Auctions',
  summary: 'Open an auction and wait for its quotes',
  description:
    'Asks every connected backer and answers at the close with all quotes, best first. Anyone who knows the `rfqId` can read the result: keep it secret.',
  body: rfqRequestShape,
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
