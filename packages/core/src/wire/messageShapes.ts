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
  'Chosen by the backer, at most 64 characters. The answer to a message repeats it.',
)

/** The answer to a challenge. A backer may send no other message before it is authenticated. */
export const authMessageShape: Shape<AuthMessage> = /* @__PURE__ */ named(
  'AuthMessage',
  'The answer to a challenge. A backer may send no other message before it is authenticated.',
  z.strictObject({
    type: z.literal('auth'),
    address,
    timestamp: field(unixSeconds, 'Unix seconds.'),
    signature,
  }),
)

/** Messages of an authenticated backer. Unknown keys are rejected. */
export const clientMessageShape: Shape<ClientMessage> = /* @__PURE__ */ named(
  'ClientMessage',
  'Messages that an authenticated backer may send on `/ws/rfq`.',
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('quote'),
      id,
      rfqId: publicRfqId,
      quote: signedQuoteShape,
      traceparent: field(
        z.exactOptional(traceparent),
        'The `traceparent` (W3C Trace Context) of this message. Only in a session whose `authenticated` has `traces`. Ignored unless it continues the trace of its RFQ.',
      ),
    }),
    z.strictObject({
      type: z.literal('decline'),
      id,
      rfqId: publicRfqId,
      reason: field(z.exactOptional(z.string().check(z.maxLength(256))), 'The reason, for the operator.'),
    }),
    z.strictObject({
      type: z.literal('resume'),
      id,
      seq: field(
        sequenceNumber,
        'The last `quote_status` that the backer received. The service replays later ones. 0 replays all that it retains.',
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
    challenge: field(z.string(), "`firmquote-auth|1|<audience>|<64 hex digits>`: the service's URL and the nonce."),
    chainId: field(z.number(), 'The id of the chain.'),
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
      'The open RFQs that the backer may still answer, so that a reconnect misses none.',
    ),
    statusSeq: field(
      z.exactOptional(z.number()),
      "The number of this maker's newest `quote_status`, 0 for none. `resume` replays missed updates. Older services omit it.",
    ),
    traces: field(
      z.exactOptional(z.boolean()),
      'True when the backer connected with `?traces=1`: an `rfq` and its `quote` may have a `traceparent`. Absent otherwise.',
    ),
  }),
)

const message = /* @__PURE__ */ field(z.string(), 'A description of the error.')

const ackKeys = { type: z.literal('quote_ack'), id, rfqId: publicRfqId }

/** The verdict on one submitted quote. */
const quoteAck = /* @__PURE__ */ named(
  'QuoteAckMessage',
  'The verdict on one submitted quote. `accepted` is sent only after the quote is on disk.',
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

export const quoteAckShape: Shape<QuoteAckMessage> = quoteAck

/** The outcome of an auction for one backer. */
export const quoteOutcome: Shape<QuoteOutcome> = /* @__PURE__ */ named(
  'QuoteOutcome',
  'The outcome of an auction for one backer.',
  z.enum(['best', 'close', 'beaten', 'late', 'rejected']),
)

const auctionDistanceShape = /* @__PURE__ */ named(
  'AuctionDistanceMessage',
  'The distance of a quote from the best one, for makers with funds, one minute after the close. The bounds are blurred, identically for all makers of an auction.',
  z.object({
    type: z.literal('auction_distance'),
    rfqId: publicRfqId,
    hash: field(bytes32, "The backer's own quote."),
    distance: field(
      z.enum(['within_5', 'within_25', 'within_100', 'beyond']),
      'The approximate difference in basis points of simple APR.',
    ),
  }),
)

const auctionResultShape = /* @__PURE__ */ named(
  'AuctionResultMessage',
  'An auction has closed. The message does not reveal prices or identities of other makers.',
  z.object({
    type: z.literal('auction_result'),
    rfqId: publicRfqId,
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: field(z.number(), 'Number of quotes in the result.'),
    own: field(
      z.exactOptional(
        z.object({ hash: bytes32, rank: field(z.exactOptional(z.number()), 'Its rank, from 1 for the best.') }),
      ),
      "The backer's own quote. Older services include its `rank`, from 1 for the best.",
    ),
    outcome: field(
      z.exactOptional(quoteOutcome),
      'The outcome for a backer that quoted. `best` ranked first, `close` second to fifth, `beaten` lower. Quotes outside of the result are `late` (still being judged at the close) or `rejected`. Older services omit it.',
    ),
  }),
)

const quoteStatusMessage = /* @__PURE__ */ named(
  'QuoteStatusMessage',
  "A status change of one of the maker's quotes on the chain. The service sends no update when a deadline passes.",
  z.object({
    type: z.literal('quote_status'),
    seq: field(z.number(), "The sequence number among this maker's status updates: from 1, without gaps, and stable."),
    hash: field(bytes32, "The quote's EIP-712 digest."),
    status: field(
      z.enum(['filled', 'cancelled', 'nonce_raised', 'active']),
      '`active` reverts an earlier status after a chain reorganization.',
    ),
    final: field(z.boolean(), 'Whether the block is final. The update is sent again when it becomes final.'),
    block: field(z.number(), 'The block of the event. For `active`, the newest block that was reorganized away.'),
    transactionHash: field(z.exactOptional(bytes32), 'The transaction of the event. Absent for `active`.'),
    taker: field(z.exactOptional(address), 'Of a fill: the account that took the quote.'),
    notional: field(z.exactOptional(uint256), 'Of a fill: raw units of the loan token.'),
    cost: field(z.exactOptional(uint256), 'Of a fill: the amount that the taker paid, in raw units of the loan token.'),
    positionId: field(z.exactOptional(uint256), 'Of a fill: the position that it opened.'),
  }),
)

const resumedShape = /* @__PURE__ */ named(
  'ResumedMessage',
  'The service has replayed all retained updates that `resume` asked for.',
  z.object({
    type: z.literal('resumed'),
    id,
    seq: field(z.number(), "The number of this maker's newest `quote_status`, 0 for none."),
    oldest: field(
      z.number(),
      'The oldest retained number, or `seq` + 1 when none is retained. Updates between the requested number and this one are pruned. `GET /maker/quotes` returns the current status of each quote.',
    ),
  }),
)

/** Messages of the service to a backer. */
export const serverMessageShape: Shape<ServerMessage> = /* @__PURE__ */ named(
  'ServerMessage',
  'Messages that the service sends on `/ws/rfq`.',
  z.discriminatedUnion('type', [
    authChallengeShape,
    authenticatedShape,
    z.object({
      type: z.literal('auth_failed'),
      code: field(z.string(), 'The reason as a code: `bad_signature`, `not_allowed` and others.'),
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
