import { bytes32, storedQuoteShape } from '../wire/index.ts'
import { type ExampleFacts, endpoint } from './endpoint.ts'

export const getQuote = /* @__PURE__ */ endpoint({
  id: 'getQuote',
  method: 'get',
  path: '/quotes/{hash}',
  tag: 'Quotes',
  summary: 'Read one quote and its status',
  parameters: { hash: bytes32 },
  answers: { 200: { description: 'The quote.', shape: storedQuoteShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'QUOTE_NOT_FOUND'],
  examples: hashExamples,
})

/** The hashes of a listed and of an unlisted quote. */
export function hashExamples({ listed, passed }: ExampleFacts) {
  return {
    hash: {
      ...(listed && { listed: { summary: 'The newest listed quote', value: listed.hash } }),
      unknown: { summary: 'A quote that is unknown to this service', value: passed.hash },
    },
  }
}
