import * as z from 'zod/mini'
import type { ClientMessage, ServerMessage } from '../backerMessages.ts'
import { type Code, codes } from '../rejection.ts'
import type { Shape } from './decode.ts'
import { address, bytes32, rfqId, signature, unixMilliseconds, unixSeconds } from './primitives.ts'
import { rfqShape, signedQuoteShape } from './quoteShapes.ts'

const id = /* @__PURE__ */ z.exactOptional(z.string().check(z.maxLength(64)))
const code = /* @__PURE__ */ z.catch(z.enum(codes), 'INTERNAL' satisfies Code)

/** The answer to a challenge; the only message before a backer is authenticated. */
export const authMessageShape: Shape<Extract<ClientMessage, { type: 'auth' }>> = /* @__PURE__ */ z.strictObject({
  type: z.literal('auth'),
  address,
  timestamp: unixSeconds,
  signature,
})

/** What an authenticated backer may send. Unknown keys are refused. */
export const clientMessageShape: Shape<Exclude<ClientMessage, { type: 'auth' }>> = /* @__PURE__ */ z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('quote'), id, rfqId, quote: signedQuoteShape }),
    z.strictObject({
      type: z.literal('decline'),
      id,
      rfqId,
      reason: z.exactOptional(z.string().check(z.maxLength(256))),
    }),
    z.strictObject({ type: z.literal('ping'), id }),
  ],
)

/** What the service sends to a backer. */
export const serverMessageShape: Shape<ServerMessage> = /* @__PURE__ */ z.union([
  z.object({
    type: z.literal('auth_challenge'),
    challenge: z.string(),
    chainId: z.number(),
    quoteMarket: address,
    serverTime: unixMilliseconds,
    expiresAt: unixMilliseconds,
  }),
  z.object({
    type: z.literal('authenticated'),
    address,
    sessionId: z.string(),
    expiresAt: unixMilliseconds,
    openRfqs: z.array(rfqShape),
  }),
  z.object({ type: z.literal('auth_failed'), code: z.string(), message: z.string(), serverTime: unixMilliseconds }),
  z.intersection(z.object({ type: z.literal('rfq') }), rfqShape),
  z.object({
    type: z.literal('quote_ack'),
    id,
    rfqId,
    status: z.literal('accepted'),
    hash: bytes32,
    receivedAt: unixMilliseconds,
    closesAt: unixMilliseconds,
  }),
  z.object({
    type: z.literal('quote_ack'),
    id,
    rfqId,
    status: z.literal('rejected'),
    code,
    message: z.string(),
    details: z.exactOptional(z.record(z.string(), z.unknown())),
  }),
  z.object({
    type: z.literal('auction_result'),
    rfqId,
    closedAt: unixMilliseconds,
    quoteCount: z.number(),
    own: z.exactOptional(z.object({ hash: bytes32, rank: z.number() })),
  }),
  z.object({ type: z.literal('pong'), id, serverTime: unixMilliseconds }),
  z.object({ type: z.literal('error'), id, code, message: z.string() }),
])
