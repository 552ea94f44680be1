import type { Code } from '../quote/rejection.ts'
import { makerQuoteFiltersShape, quotePageShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

/** What an endpoint for one maker may answer. */
export const makerProblems = [
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'CHAIN_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly Code[]

export const getMakerQuotes = /* @__PURE__ */ endpoint({
  id: 'getMakerQuotes',
  method: 'get',
  path: '/maker/quotes',
  tag: 'Makers',
  summary: "List a maker's own quotes",
  description:
    'Every quote of the maker that the service knows, newest first: published ones, with their signature, and those that auctions have accepted, with the `rfqId` of the auction. A page may have fewer quotes than `limit`, or none: `nextCursor` is null on the last one.',
  authorization: true,
  query: makerQuoteFiltersShape,
  answers: { 200: { description: 'One page of quotes.', shape: quotePageShape } },
  problems: makerProblems,
  examples: () => ({
    status: { filled: { summary: 'Those that were taken', value: 'filled' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})
