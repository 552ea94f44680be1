import * as z from 'zod/mini'
import type {
  AuthMessage,
  ClientMessage,
  QuoteAckMessage,
  QuoteOutcome,
  ServerMessage,
} from '../generated/wireTypes.ts'
import type { Shape } from './decode.ts'
import {
  address,
  bytes32,
  code,
  details,
  publicRfqId,
  sequenceNumber,
  signature,
  traceparent,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
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
    z.strictObject({
      type: z.literal('quote'),
      id,
      rfqId: publicRfqId,
      quote: signedQuoteShape,
      traceparent: field(
        z.exactOptional(traceparent),
        'The `traceparent` (W3C Trace Context) of this message. Only in a session whose `authenticated` has `traces`; what continues no trace of its RFQ is ignored.',
      ),
    }),
    z.strictObject({
      type: z.literal('decline'),
      id,
      rfqId: publicRfqId,
      reason: field(z.exactOptional(z.string().check(z.maxLength(256))), 'Why, for the operator.'),
    }),
    z.strictObject({
      type: z.literal('resume'),
      id,
      seq: field(
        sequenceNumber,
        'The last `quote_status` that the backer has: what came after it is sent. 0 brings all that is kept.',
      ),
    }),
    z.strictObject({ type: z.literal('ping'), id }),
  ]),
)

const authChallengeShape = /* @__PURE__ */ named(
  'AuthChallengeMessage',
  'The first message on every socket.',
  z.object({
    type: z.literal('auth_challenge'),
    challenge: field(
      z.string(),
      '`firmquote-auth|1|<audience>|<64 hex digits>`: who the service says that it is, and the nonce.',
    ),
    chainId: field(z.number(), 'The chain that is signed for.'),
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
    sessionId: field(z.string(), "The session's id in the service's log."),
    expiresAt: field(unixMilliseconds, 'Unix milliseconds.'),
    openRfqs: field(
      z.array(rfqBroadcastShape),
      'What the backer may still answer, so that a reconnect misses nothing.',
    ),
    statusSeq: field(
      z.exactOptional(z.number()),
      "The number of this maker's newest `quote_status`, 0 for none: `resume` brings what a backer has missed. Services before this version leave it out.",
    ),
    traces: field(
      z.exactOptional(z.boolean()),
      'True when the backer has connected with `?traces=1`: an `rfq` may have a `traceparent`, and so may its `quote`. Otherwise left out.',
    ),
  }),
)

const message = /* @__PURE__ */ field(z.string(), 'What is wrong, in a sentence.')

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
    z.object({ ...ackKeys, status: z.literal('rejected'), code, message, details }),
  ]),
)

/** The verdict on one submitted quote. */
export const quoteAckShape: Shape<QuoteAckMessage> = quoteAck

/** How an auction has ended for one backer. */
export const quoteOutcome: Shape<QuoteOutcome> = /* @__PURE__ */ named(
  'QuoteOutcome',
  'How an auction has ended for one backer.',
  z.enum(['best', 'close', 'beaten', 'late', 'rejected']),
)

const auctionDistanceShape = /* @__PURE__ */ named(
  'AuctionDistanceMessage',
  'How far a quote was from the best one, for makers with means, a minute after the close. The bounds are blurred, for all makers of an auction alike.',
  z.object({
    type: z.literal('auction_distance'),
    rfqId: publicRfqId,
    hash: field(bytes32, "The backer's own quote."),
    distance: field(
      z.enum(['within_5', 'within_25', 'within_100', 'beyond']),
      'Hundredths of a percent of simple APR between the two, about.',
    ),
  }),
)

const auctionResultShape = /* @__PURE__ */ named(
  'AuctionResultMessage',
  "An auction has closed. Nothing here shows another maker's price or identity.",
  z.object({
    type: z.literal('auction_result'),
    rfqId: publicRfqId,
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: field(z.number(), 'How many quotes are in the result.'),
    own: field(
      z.exactOptional(
        z.object({ hash: bytes32, rank: field(z.exactOptional(z.number()), 'Its place, 1 being the best.') }),
      ),
      "The backer's own quote. Services before this version tell its `rank`, 1 being the best.",
    ),
    outcome: field(
      z.exactOptional(quoteOutcome),
      'Of a backer that has quoted: `best` was ranked first, `close` second to fifth, `beaten` later; of quotes that are not in the result, `late` was still being judged at the close, `rejected` was refused. Services before this version leave it out.',
    ),
  }),
)

const quoteStatusMessage = /* @__PURE__ */ named(
  'QuoteStatusMessage',
  "What has become of one of the maker's quotes on the chain. What time alone ends follows from its deadline and is not sent.",
  z.object({
    type: z.literal('quote_status'),
    seq: field(
      z.number(),
      'Its number among all that this maker is told: 1 is the first, there is no gap, and it never changes.',
    ),
    hash: field(bytes32, "The quote's EIP-712 digest."),
    status: field(
      z.enum(['filled', 'cancelled', 'nonce_raised', 'active']),
      '`active` takes back what was told before: the chain was reorganised.',
    ),
    final: field(
      z.boolean(),
      'Whether the block can no longer be undone. What was told before is told once more then.',
    ),
    block: field(z.number(), 'The block of the event; of `active`, the newest block that was left.'),
    transactionHash: field(z.exactOptional(bytes32), 'The transaction of the event; absent for `active`.'),
    taker: field(z.exactOptional(address), 'Of a fill: who has taken it.'),
    notional: field(z.exactOptional(uint256), 'Of a fill: raw units of the loan token.'),
    cost: field(z.exactOptional(uint256), 'Of a fill: what the taker has paid, in raw units of the loan token.'),
    positionId: field(z.exactOptional(uint256), 'Of a fill: the position that it has opened.'),
  }),
)

const resumedShape = /* @__PURE__ */ named(
  'ResumedMessage',
  'All that is kept of what `resume` has asked for was sent before this.',
  z.object({
    type: z.literal('resumed'),
    id,
    seq: field(z.number(), "The number of this maker's newest `quote_status`, 0 for none."),
    oldest: field(
      z.number(),
      'The oldest number that is kept; one above `seq` when none is. What lies between what was asked for and this is forgotten: `GET /maker/quotes` has where each quote stands.',
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
      code: field(z.string(), 'Why, for a program: `bad_signature`, `not_allowed` and others.'),
      message,
      serverTime: field(unixMilliseconds, 'Unix milliseconds.'),
    }),
    z.object({ type: z.literal('rfq'), ...broadcastKeys }),
    quoteAck,
    auctionResultShape,
    auctionDistanceShape,
    quoteStatusMessage,
    resumedShape,
    z.object({ type: z.literal('pong'), id, serverTime: field(unixMilliseconds, 'Unix milliseconds.') }),
    z.object({ type: z.literal('error'), id, code, message }),
  ]),
)
