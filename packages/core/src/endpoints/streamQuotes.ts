import {
  collectedQuoteShape,
  rfqRequestShape,
  rfqStartedShape,
  rfqStreamErrorShape,
  rfqSummaryShape,
} from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { openHeaders, openProblems, requestExamples } from './requestQuotes.ts'

/** The events of an auction's stream. */
export const streamEvents = {
  started: { shape: rfqStartedShape, summary: 'The auction is open.' },
  quote: { shape: collectedQuoteShape, summary: 'A quote has arrived.' },
  done: { shape: rfqSummaryShape, summary: 'The auction has closed.' },
  error: { shape: rfqStreamErrorShape, summary: 'The result is not written yet. The stream can be resumed.' },
} as const

export const streamQuotes = /* @__PURE__ */ endpoint({
  id: 'streamQuotes',
  method: 'post',
  path: '/rfq/quote/stream',
  tag: 'Auctions',
  summary: 'Open an auction and follow it',
  description:
    'Server-sent events: one `started`, any number of `quote`, one `done`. Resume a stream that ends before `done` with `GET /rfq/{rfqId}/stream`. `/asyncapi.json` describes the events. Errors before the auction opens use the usual error format.',
  body: rfqRequestShape,
  headers: openHeaders,
  answers: {
    200: {
      description: 'The events, until the close.',
      mediaType: 'text/event-stream',
      events: streamEvents,
    },
  },
  problems: openProblems,
  examples: requestExamples,
})
