import { streamOptionsShape } from '../wire/index.ts'
import { lastEventId, rfqId } from '../wire/primitives.ts'
import { endpoint } from './endpoint.ts'
import { receiptExamples, streamEvents } from './streamQuotes.ts'

export const followAuction = /* @__PURE__ */ endpoint({
  id: 'followAuction',
  method: 'get',
  path: '/rfq/{rfqId}/stream',
  tag: 'Auctions',
  summary: 'Follow an auction, or resume after an event',
  description:
    "Streams an auction's events from the beginning, or from after `Last-Event-ID`. The borrower's `rfqId` identifies the auction. Every instance of the service sends the same events, even after a restart or the close. Only `progress` events are not replayed.",
  parameters: { rfqId },
  query: streamOptionsShape,
  headers: {
    'Last-Event-ID': { shape: lastEventId, description: 'The `id` of the last event received.' },
  },
  answers: {
    200: { description: 'The events until the close.', mediaType: 'text/event-stream', events: streamEvents },
  },
  problems: ['RFQ_NOT_FOUND', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: () => ({
    rfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
    ...receiptExamples,
  }),
})
