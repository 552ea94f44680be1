import { bytes32, storedQuoteShape } from '../wire/index.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

export const getQuote = /* @__PURE__ */ endpoint({
  id: 'getQuote',
  method: 'get',
  path: '/quotes/{hash}',
  tag: 'Quotes',
  summary: 'Read a quote and its status',
  parameters: { hash: bytes32 },
  answers: { 200: { description: 'The quote.', shape: storedQuoteShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'QUOTE_NOT_FOUND', 'RATE_LIMITED'],
  examples: hashExamples,
})

/** Hashes of a listed and an unlisted quote. */
export function hashExamples({ listed, passed }: ExampleFacts) {
  return {
    hash: {
      ...(listed && { listed: { summary: 'The newest listed quote', value: listed.hash } }),
      unknown: { summary: 'A quote that this service does not know', value: passed.hash },
    },
  }
}
