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
import { broadcastKeys, receiptShape, rfqBroadcastShape, signedQuoteShape } from './quoteShapes.ts'
import { field, named } from './wireRegistry.ts'

const id = /* @__PURE__ */ field(
  z.exactOptional(z.string().check(z.maxLength(64))),
  'An id that the backer chooses, at most 64 characters. The response to the message contains it.',
)

const noteText = /* @__PURE__ */ z.string().check(z.maxLength(512))

/** The response to a challenge. Until it is authenticated, a backer may send no other message. */
export const authMessageShape: Shape<AuthMessage> = /* @__PURE__ */ named(
  'AuthMessage',
  'The response to a challenge. Until it is authenticated, a backer may send no other message.',
  z.strictObject({
    type: z.literal('auth'),
    address,
    timestamp: field(unixSeconds, 'Unix seconds.'),
    signature,
  }),
)

/** Messages that an authenticated backer may send. Unknown keys are rejected. */
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
        'The `traceparent` (W3C Trace Context) of this message. Allowed only if the `authenticated` message of the session had `traces`. Ignored unless it continues the trace of the RFQ.',
      ),
    }),
    z.strictObject({
      type: z.literal('decline'),
      id,
      rfqId: publicRfqId,
      reason: field(z.exactOptional(z.string().check(z.maxLength(256))), 'The reason, shown to the operator.'),
    }),
    z.strictObject({
      type: z.literal('resume'),
      id,
      seq: field(
        sequenceNumber,
        'The `seq` of the last `quote_status` that the backer received. The service replays later ones. 0 replays all retained ones.',
      ),
    }),
    z.strictObject({ type: z.literal('ping'), id }),
    z.strictObject({
      type: z.literal('witness'),
      id,
      key: field(noteText, "The witness's key, as `name+id+base64` (c2sp.org/signed-note). At most 512 characters."),
      size: field(sequenceNumber, 'The size of the last tree of this log that the witness cosigned, or 0.'),
    }),
    z.strictObject({
      type: z.literal('cosignature'),
      id,
      size: field(sequenceNumber, 'The size of the cosigned checkpoint.'),
      signature: field(noteText, 'The signature line, `— name base64`, without its newline. At most 512 characters.'),
    }),
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
    sessionId: field(z.string(), "The session's id, as in the service's log."),
    expiresAt: field(unixMilliseconds, 'Unix milliseconds.'),
    openRfqs: field(
      z.array(rfqBroadcastShape),
      'The open RFQs that the backer may still answer, so that it misses none after a reconnect.',
    ),
    statusSeq: field(
      z.exactOptional(z.number()),
      "The `seq` of this maker's newest `quote_status`, or 0 if there is none. `resume` replays missed updates. Older services omit it.",
    ),
    traces: field(
      z.exactOptional(z.boolean()),
      'True if the backer connected with `?traces=1`. In that case, an `rfq` and its `quote` may have a `traceparent`. Absent otherwise.',
    ),
  }),
)

const message = /* @__PURE__ */ field(z.string(), 'A description of the error.')

const ackKeys = { type: z.literal('quote_ack'), id, rfqId: publicRfqId }

/** The verdict on a submitted quote. */
const quoteAck = /* @__PURE__ */ named(
  'QuoteAckMessage',
  'The verdict on a submitted quote. `accepted` is sent only once the quote is on disk.',
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

/** The outcome of an auction for a backer. */
export const quoteOutcome: Shape<QuoteOutcome> = /* @__PURE__ */ named(
  'QuoteOutcome',
  'The outcome of an auction for a backer.',
  z.enum(['best', 'close', 'beaten', 'late', 'rejected']),
)

const auctionDistanceShape = /* @__PURE__ */ named(
  'AuctionDistanceMessage',
  'How far a quote was from the best one. Sent to makers with funds, one minute after the close. The bounds are blurred identically for all makers in an auction.',
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
  'An auction has closed. The message does not reveal the prices or identities of other makers.',
  z.object({
    type: z.literal('auction_result'),
    rfqId: publicRfqId,
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: field(z.number(), 'Number of quotes in the result.'),
    own: field(
      z.exactOptional(
        z.object({
          hash: bytes32,
          rank: field(z.exactOptional(z.number()), 'The rank of the quote, where 1 is the best.'),
        }),
      ),
      "The backer's own quote. Older services include its `rank`, where 1 is the best.",
    ),
    outcome: field(
      z.exactOptional(quoteOutcome),
      'The outcome for a backer that quoted. `best` means first, `close` second to fifth, and `beaten` lower. Quotes that are not in the result are `late` (still being checked at the close) or `rejected`. Older services omit it.',
    ),
  }),
)

const quoteStatusMessage = /* @__PURE__ */ named(
  'QuoteStatusMessage',
  "An on-chain status change of one of the maker's quotes. The service sends no update when a deadline passes.",
  z.object({
    type: z.literal('quote_status'),
    seq: field(
      z.number(),
      "The update's sequence number among those of this maker. Starts at 1, has no gaps, and never changes.",
    ),
    hash: field(bytes32, "The quote's EIP-712 digest."),
    status: field(
      z.enum(['filled', 'cancelled', 'nonce_raised', 'active']),
      '`active` means that a chain reorganization has reverted an earlier status.',
    ),
    final: field(z.boolean(), 'Whether the block is final. The update is sent again once the block is final.'),
    block: field(z.number(), 'The block of the event. For `active`, the newest block that was reorganized away.'),
    transactionHash: field(z.exactOptional(bytes32), 'The transaction that emitted the event. Absent for `active`.'),
    taker: field(z.exactOptional(address), 'For a fill: the account that took the quote.'),
    notional: field(z.exactOptional(uint256), 'For a fill: the notional, in raw units of the loan token.'),
    cost: field(
      z.exactOptional(uint256),
      'For a fill: the amount that the taker paid, in raw units of the loan token.',
    ),
    positionId: field(z.exactOptional(uint256), 'For a fill: the position that it opened.'),
  }),
)

const resumedShape = /* @__PURE__ */ named(
  'ResumedMessage',
  'The service has replayed all retained updates that `resume` requested.',
  z.object({
    type: z.literal('resumed'),
    id,
    seq: field(z.number(), "The `seq` of this maker's newest `quote_status`, or 0 if there is none."),
    oldest: field(
      z.number(),
      'The oldest retained `seq`, or the newest `seq` + 1 if none is retained. Updates between the requested `seq` and this one have been pruned. `GET /maker/quotes` returns the current status of each quote.',
    ),
  }),
)

const receiptMessage = /* @__PURE__ */ named(
  'ReceiptMessage',
  "The receipt for a quote's verdict. Follows its `quote_ack`, usually within 250 ms. Only for backers that connected with `?receipts=1`.",
  z.object({
    type: z.literal('receipt'),
    rfqId: publicRfqId,
    hash: field(bytes32, "The quote's EIP-712 digest."),
    receipt: receiptShape,
  }),
)

const checkpointMessage = /* @__PURE__ */ named(
  'CheckpointMessage',
  "A checkpoint of the log for a witness. The next one follows the witness's `cosignature`.",
  z.object({
    type: z.literal('checkpoint'),
    note: field(z.string(), 'The checkpoint, as a signed note.'),
    from: field(z.number(), 'The size at which the proof of consistency starts.'),
    path: field(z.array(z.string()), 'The hashes of the proof of consistency, in base64. At most 63.'),
  }),
)

/** Messages that the service sends to a backer. */
export const serverMessageShape: Shape<ServerMessage> = /* @__PURE__ */ named(
  'ServerMessage',
  'Messages that the service sends on `/ws/rfq`.',
  z.discriminatedUnion('type', [
    authChallengeShape,
    authenticatedShape,
    z.object({
      type: z.literal('auth_failed'),
      code: field(z.string(), 'The reason code: `bad_signature`, `not_allowed`, `banned` and others.'),
      message,
      serverTime: field(unixMilliseconds, 'Unix milliseconds.'),
    }),
    z.object({ type: z.literal('rfq'), ...broadcastKeys }),
    quoteAck,
    receiptMessage,
    auctionResultShape,
    auctionDistanceShape,
    quoteStatusMessage,
    resumedShape,
    checkpointMessage,
    z.object({ type: z.literal('pong'), id, serverTime: field(unixMilliseconds, 'Unix milliseconds.') }),
    z.object({ type: z.literal('error'), id, code, message }),
  ]),
)
