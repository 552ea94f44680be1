import { lastEventId, rfqId } from '../wire/primitives.ts'
import { endpoint } from './endpoint.ts'
import { streamEvents } from './streamQuotes.ts'

export const followAuction = /* @__PURE__ */ endpoint({
  id: 'followAuction',
  method: 'get',
  path: '/rfq/{rfqId}/stream',
  tag: 'Auctions',
  summary: 'Follow an auction, or resume after an event',
  description:
    "The events of an auction from the first one, or those after `Last-Event-ID`. Identified by the borrower's `rfqId`. Every instance of the service sends the same events, even after a restart and after the close.",
  parameters: { rfqId },
  headers: {
    'Last-Event-ID': { shape: lastEventId, description: 'The `id` of the last received event.' },
  },
  answers: {
    200: { description: 'The events, until the close.', mediaType: 'text/event-stream', events: streamEvents },
  },
  problems: ['RFQ_NOT_FOUND', 'STORAGE_UNAVAILABLE'],
  examples: () => ({
    rfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
  }),
})
