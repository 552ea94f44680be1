import * as z from 'zod/mini'
import type { AuctionLeaves } from '../generated/wireTypes.ts'
import { publicRfqId, type Shape } from '../wire/index.ts'
import { field, named } from '../wire/wireRegistry.ts'
import { endpoint } from './endpoint.ts'

const answerShape: Shape<AuctionLeaves> = /* @__PURE__ */ named(
  'AuctionLeaves',
  "An auction's place in the log, and the leaf hashes of its transcript.",
  z.object({
    publicRfqId,
    open: field(z.nullable(z.number()), 'Index of the opening in the log. Null until a checkpoint has it.'),
    close: field(z.nullable(z.number()), 'Index of the close in the log. Null until a checkpoint has it.'),
    hashes: field(
      z.array(z.string()),
      "The transcript's leaf hashes in base64: the opening, the quotes by `seq`, and the result. Empty while `close` is null.",
    ),
  }),
)

export const getAuctionLeaves = /* @__PURE__ */ endpoint({
  id: 'getAuctionLeaves',
  method: 'get',
  path: '/log/auctions/{publicRfqId}',
  tag: 'Auctions',
  summary: "List an auction's leaf hashes",
  description:
    "Takes the auction's public id. The hashes are salted, so they reveal only the number of quotes. A maker compares them with its receipts.",
  parameters: { publicRfqId },
  answers: { 200: { description: 'The indices and hashes.', shape: answerShape } },
  problems: ['RFQ_NOT_FOUND', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: () => ({
    publicRfqId: { unknown: { summary: 'An auction that does not exist', value: '0123456789abcdef0123456789abcdef' } },
  }),
})
