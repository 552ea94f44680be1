import { rfqId } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const getAuctionProof = /* @__PURE__ */ endpoint({
  id: 'getAuctionProof',
  method: 'get',
  path: '/rfq/{rfqId}/proof',
  tag: 'Auctions',
  summary: "Read a closed auction's proof",
  description:
    "Takes the borrower's `rfqId`. The proof shows all the auction's quotes, their ranking and that the log has the auction. Save it byte for byte.",
  parameters: { rfqId },
  answers: { 200: { description: 'A proof file of type `auction`.', mediaType: 'application/json' } },
  problems: ['RFQ_NOT_FOUND', 'PROOF_NOT_READY', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: () => ({
    rfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
  }),
})
