import * as z from 'zod/mini'
import type { Shape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { hashExamples } from './getQuote.ts'

/** The answer is 405 for every hash. */
const anyText: Shape<string> = /* @__PURE__ */ z.string()

export const explainCancellation = /* @__PURE__ */ endpoint({
  id: 'explainCancellation',
  method: 'delete',
  path: '/quotes/{hash}',
  tag: 'Quotes',
  summary: 'Learn how to cancel a quote on-chain',
  description:
    'Always 405: only the maker can cancel a quote, on the chain. `details` has the contract (`to`) and the calldata of `raiseNonce` and, for a known quote, of `cancelQuote`.',
  parameters: { hash: anyText },
  answers: {},
  problems: ['METHOD_NOT_ALLOWED'],
  examples: hashExamples,
})
