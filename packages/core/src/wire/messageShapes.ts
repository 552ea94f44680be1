import * as z from 'zod/mini'
import type { AuthMessage, ClientMessage, QuoteAckMessage, ServerMessage } from '../generated/wireTypes.ts'
import type { Shape } from './decode.ts'
import { address, bytes32, code, details, publicRfqId, signature, unixMilliseconds, unixSeconds } from './primitives.ts'
import { broadcastKeys, rfqBroadcastShape, signedQuoteShape } from './quoteShapes.ts'
import { field, named } from './wireRegistry.ts'

const id = /* @__PURE__ */ field(
  z.exactOptional(z.string().check(z.maxLength(64))),
  'At most 64 characters, chosen by the backer; the answer to a message carries the same.',
)

/** The answer to a challenge; the only message before a backer is authenticated. */
export const authMessageShape: Shape<AuthMessage> = /* @__PURE__ */ named(
  'AuthMessage',
  'The answer to a challenge; the only message before a backer is authenticated.',
  z.strictObject({
    type: z.literal('auth'),
    address,
    timestamp: field(unixSeconds, 'Unix seconds.'),
    signature,
  }),
)

/** What an authenticated backer may send. Unknown keys are refused. */
export const clientMessageShape: Shape<ClientMessage> = /* @__PURE__ */ named(
  'ClientMessage',
  'What an authenticated backer may send on `/ws/rfq`.',
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('quote'), id, rfqId: publicRfqId, quote: signedQuoteShape }),
    z.strictObject({
      type: z.literal('decline'),
      id,
      rfqId: publicRfqId,
      reason: z.exactOptional(z.string().check(z.maxLength(256))),
    }),
    z.strictObject({ type: z.literal('ping'), id }),
  ]),
)

const authChallengeShape = /* @__PURE__ */ named(
  'AuthChallengeMessage',
  'The first message on every socket.',
  z.object({
    type: z.literal('auth_challenge'),
    challenge: z.string(),
    chainId: z.number(),
    quoteMarket: address,
    serverTime: field(unixMilliseconds, 'Unix milliseconds.'),
    expiresAt: field(unixMilliseconds, 'Unix milliseconds.'),
  }),
)

const authenticatedShape = /* @__PURE__ */ named(
  'AuthenticatedMessage',
  'The backer is authenticated.',
  z.object({
    type: z.literal('authenticated'),
    address,
    sessionId: z.string(),
    expiresAt: field(unixMilliseconds, 'Unix milliseconds.'),
    openRfqs: field(
      z.array(rfqBroadcastShape),
      'What the backer may still answer, so that a reconnect misses nothing.',
    ),
  }),
)

const ackKeys = { type: z.literal('quote_ack'), id, rfqId: publicRfqId }

/** The verdict on one submitted quote. */
const quoteAck = /* @__PURE__ */ named(
  'QuoteAckMessage',
  'The verdict on one submitted quote; `accepted` is sent only after the quote is on disk.',
  z.discriminatedUnion('status', [
    z.object({
      ...ackKeys,
      status: z.literal('accepted'),
      hash: field(bytes32, "The quote's EIP-712 digest."),
      receivedAt: field(unixMilliseconds, 'Unix milliseconds.'),
      closesAt: field(unixMilliseconds, 'Unix milliseconds.'),
    }),
    z.object({ ...ackKeys, status: z.literal('rejected'), code, message: z.string(), details }),
  ]),
)

/** The verdict on one submitted quote. */
export const quoteAckShape: Shape<QuoteAckMessage> = quoteAck

const auctionResultShape = /* @__PURE__ */ named(
  'AuctionResultMessage',
  "An auction has closed. Nothing here shows another maker's price or identity.",
  z.object({
    type: z.literal('auction_result'),
    rfqId: publicRfqId,
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: z.number(),
    own: field(
      z.exactOptional(z.object({ hash: bytes32, rank: z.number() })),
      "The backer's own quote and its place, 1 being the best.",
    ),
  }),
)

/** What the service sends to a backer. */
export const serverMessageShape: Shape<ServerMessage> = /* @__PURE__ */ named(
  'ServerMessage',
  'What the service sends on `/ws/rfq`.',
  z.discriminatedUnion('type', [
    authChallengeShape,
    authenticatedShape,
    z.object({
      type: z.literal('auth_failed'),
      code: z.string(),
      message: z.string(),
      serverTime: field(unixMilliseconds, 'Unix milliseconds.'),
    }),
    z.object({ type: z.literal('rfq'), ...broadcastKeys }),
    quoteAck,
    auctionResultShape,
    z.object({ type: z.literal('pong'), id, serverTime: field(unixMilliseconds, 'Unix milliseconds.') }),
    z.object({ type: z.literal('error'), id, code, message: z.string() }),
  ]),
)
