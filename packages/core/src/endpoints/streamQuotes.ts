import {
  collectedQuoteShape,
  rfqProgressShape,
  rfqRequestShape,
  rfqStartedShape,
  rfqStreamErrorShape,
  rfqSummaryShape,
  streamOptionsShape,
} from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { openHeaders, openProblems, requestExamples } from './requestQuotes.ts'

/** The events in an auction's stream. */
export const streamEvents = {
  started: { shape: rfqStartedShape, summary: 'The auction is open.' },
  quote: { shape: collectedQuoteShape, summary: 'A quote has arrived.' },
  progress: { shape: rfqProgressShape, summary: 'More makers have answered. Has no `id` and is not replayed.' },
  done: { shape: rfqSummaryShape, summary: 'The auction has closed.' },
  error: { shape: rfqStreamErrorShape, summary: 'The result has not been stored yet. The stream can be resumed.' },
} as const

/** Examples of a stream's query. */
export const receiptExamples = { receipts: { on: { summary: 'With receipts', value: '1' } } }

export const streamQuotes = /* @__PURE__ */ endpoint({
  id: 'streamQuotes',
  method: 'post',
  path: '/rfq/quote/stream',
  tag: 'Auctions',
  summary: 'Open an auction and follow it',
  description:
    'Sends server-sent events: one `started`, any number of `quote` and `progress`, and one `done`. If a stream ends before `done`, resume it with `GET /rfq/{rfqId}/stream`. The events are described in `/asyncapi.json`. Errors before the auction opens use the usual error format.',
  query: streamOptionsShape,
  body: rfqRequestShape,
  headers: openHeaders,
  answers: {
    200: {
      description: 'The events until the close.',
      mediaType: 'text/event-stream',
      events: streamEvents,
    },
  },
  problems: openProblems,
  examples: (facts) => ({ ...requestExamples(facts), ...receiptExamples }),
})
