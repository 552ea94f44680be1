import { signedQuoteShape, storedQuoteShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const submitQuote = /* @__PURE__ */ endpoint({
  id: 'submitQuote',
  method: 'post',
  path: '/quotes',
  tag: 'Quotes',
  summary: 'Publish a signed quote',
  description:
    "The service applies the contract's checks at one block. Quotes that cannot be checked are not accepted. Submitting the same quote again returns 200.",
  body: signedQuoteShape,
  answers: {
    200: { description: 'The quote was already stored.', shape: storedQuoteShape },
    201: { description: 'The quote is on disk and listed.', shape: storedQuoteShape, headers: ['Location'] },
  },
  problems: [
    'CHAIN_UNAVAILABLE',
    'CHAIN_DISAGREES',
    'STORAGE_UNAVAILABLE',
    'NOTIONAL_TOO_SMALL',
    'NOTIONAL_TOO_LARGE',
    'VRT_AMOUNT_TOO_LARGE',
    'DEADLINE_PASSED',
    'DEADLINE_TOO_SOON',
    'DEADLINE_TOO_FAR',
    'BAD_SIGNATURE',
    'NONCE_MISMATCH',
    'QUOTE_CANCELLED',
    'QUOTE_FILLED',
    'POOL_NOT_FOUND',
    'SERIES_NOT_FOUND',
    'SERIES_EXPIRED',
    'MARKET_HALTED',
    'CAPACITY_EXCEEDED',
    'INSUFFICIENT_BALANCE',
    'INSUFFICIENT_ALLOWANCE',
    'NOT_EXECUTABLE',
    'QUOTE_PRIVATE',
    'MAKER_SUSPENDED',
    'MAKER_BANNED',
    'TOO_MANY_OPEN',
    'RATE_LIMITED',
  ],
  examples: ({ listed, passed }) => ({
    body: {
      ...(listed && { listed: { summary: 'A quote that is already listed: 200', value: listed.quote } }),
      passed: { summary: 'A quote whose deadline has passed: 422', value: passed.quote },
    },
  }),
})
