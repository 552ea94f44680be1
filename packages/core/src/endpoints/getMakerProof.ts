import * as z from 'zod/mini'
import type { PublicRfqId } from '../auction/rfqId.ts'
import { publicRfqId, type Shape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'
import { makerProblems } from './getMakerQuotes.ts'

const queryShape: Shape<{ publicRfqId: PublicRfqId }> = /* @__PURE__ */ z.strictObject({ publicRfqId })

export const getMakerProof = /* @__PURE__ */ endpoint({
  id: 'getMakerProof',
  method: 'get',
  path: '/maker/proofs',
  tag: 'Makers',
  summary: "Read the proof of a maker's quote",
  description:
    "Takes the auction's public id. The proof shows that the closed auction has the maker's quote. Save it byte for byte.",
  authorization: true,
  query: queryShape,
  answers: { 200: { description: 'A proof file of type `quote`.', mediaType: 'application/json' } },
  problems: ['RFQ_NOT_FOUND', 'QUOTE_NOT_FOUND', 'PROOF_NOT_READY', ...makerProblems],
  examples: () => ({
    publicRfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
  }),
})
