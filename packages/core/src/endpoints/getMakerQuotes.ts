import type { Code } from '../quote/rejection.ts'
import { makerQuoteFiltersShape, quotePageShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

/** Errors of all maker endpoints. */
export const makerProblems = [
  'UNAUTHENTICATED',
  'MAKER_BANNED',
  'RATE_LIMITED',
  'CHAIN_UNAVAILABLE',
  'CHAIN_DISAGREES',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly Code[]

export const getMakerQuotes = /* @__PURE__ */ endpoint({
  id: 'getMakerQuotes',
  method: 'get',
  path: '/maker/quotes',
  tag: 'Makers',
  summary: "List a maker's own quotes",
  description:
    'Lists all quotes from the maker that the service has stored, newest first. Published quotes include their signature. Quotes accepted by an auction include its `rfqId`. A page may contain fewer quotes than `limit`, or none. `nextCursor` is null on the last page.',
  authorization: true,
  query: makerQuoteFiltersShape,
  answers: { 200: { description: 'A page of quotes.', shape: quotePageShape } },
  problems: makerProblems,
  examples: () => ({
    status: { filled: { summary: 'Taken quotes', value: 'filled' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})
