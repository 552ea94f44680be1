import { rfqId, rfqResultShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getAuction = /* @__PURE__ */ endpoint({
  id: 'getAuction',
  method: 'get',
  path: '/rfq/{rfqId}',
  tag: 'Auctions',
  summary: "Read an auction's result",
  description: "Takes the borrower's `rfqId`. Also works while the auction is open.",
  parameters: { rfqId },
  answers: { 200: { description: 'The auction so far, or its result.', shape: rfqResultShape } },
  problems: ['RFQ_NOT_FOUND', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: () => ({
    rfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
  }),
})
