import {
  collectedQuoteShape,
  rfqRequestShape,
  rfqStartedShape,
  rfqStreamErrorShape,
  rfqSummaryShape,
} from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { openProblems, requestExamples } from './requestQuotes.ts'

export const streamQuotes = /* @__PURE__ */ endpoint({
  id: 'streamQuotes',
  method: 'post',
  path: '/rfq/quote/stream',
  tag: 'Auctions',
  summary: 'Open an auction and follow it',
  description:
    'Server-sent events: one `started`, any number of `quote`, one `done`, or an `error` if the server has to stop. `/asyncapi.json` describes the events. Errors before the auction opens are answered as usual.',
  body: rfqRequestShape,
  answers: {
    200: {
      description: 'The events, until the close.',
      mediaType: 'text/event-stream',
      events: {
        started: { shape: rfqStartedShape, summary: 'The auction is open.' },
        quote: { shape: collectedQuoteShape, summary: 'A quote has arrived.' },
        done: { shape: rfqSummaryShape, summary: 'The auction has closed.' },
        error: { shape: rfqStreamErrorShape, summary: 'The server has to stop.' },
      },
    },
  },
  problems: openProblems,
  examples: requestExamples,
})
