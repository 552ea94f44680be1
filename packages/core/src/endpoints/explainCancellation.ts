import * as z from 'zod/mini'
import type { Shape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { hashExamples } from './getQuote.ts'

/** Accepts any text as the hash, because the response is always 405. */
const anyText: Shape<string> = /* @__PURE__ */ z.string()

export const explainCancellation = /* @__PURE__ */ endpoint({
  id: 'explainCancellation',
  method: 'delete',
  path: '/quotes/{hash}',
  tag: 'Quotes',
  summary: 'Learn how to cancel a quote on-chain',
  description:
    'Always responds with 405, because only the maker can cancel a quote, on-chain. `details` contains the contract (`to`) and the calldata for `raiseNonce` and, if the quote is known, for `cancelQuote`.',
  parameters: { hash: anyText },
  answers: {},
  problems: ['METHOD_NOT_ALLOWED', 'RATE_LIMITED'],
  examples: hashExamples,
})
