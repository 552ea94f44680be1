import * as z from 'zod/mini'
import type {
  CollectedQuote,
  QuoteMarketQuote,
  RFQ,
  RFQBroadcast,
  RFQObservation,
  RFQRequest,
  RFQResult,
  RFQStarted,
  RFQStreamFailure,
  RFQSummary,
  SignedQuote,
  TakerRecord,
} from '../generated/wireTypes.ts'
import type { Shape } from './decode.ts'
import { exactlyOne } from './exactlyOne.ts'
import {
  address,
  bytes32,
  positiveUint256,
  publicRfqId,
  rfqId,
  signature,
  traceparent,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
import { described, field, named } from './wireRegistry.ts'

/** A quote's nine fields. */
export const quoteKeys = {
  maker: field(address, 'The account that sells the fixed rate; the quote is signed by it.'),
  taker: field(address, 'The account that may take the quote; the zero address lets anyone.'),
  poolId: bytes32,
  seriesKey: bytes32,
  notional: field(positiveUint256, "The debt that is fixed, in raw units of the pool's loan token."),
  vrtAmount: field(uint256, "What the taker pays for the whole remaining term, in raw units of the pool's loan token."),
  nonce: field(uint256, "The maker's current nonce on the quote market."),
  deadline: field(uint256, 'Last Unix second at which the quote can be taken.'),
  salt: field(bytes32, '32 bytes that make otherwise equal quotes different.'),
}

/** The label of a quote that is not counted where quotes are compared. */
export const unproven = /* @__PURE__ */ field(
  z.exactOptional(z.boolean()),
  "True when the maker is a contract none of whose quotes was ever taken: it is not counted in `best`, best rates and depth, since a contract's consent can change from block to block.",
)

/** A quote's nine fields, nothing else. */
export const quoteShape: Shape<QuoteMarketQuote> = /* @__PURE__ */ named(
  'QuoteMarketQuote',
  "A maker's offer to take over the floating interest of a variable-rate debt until its series expires: the nine fields of `QuoteMarket.Quote`.",
  z.strictObject(quoteKeys),
)

/** A signed quote: the nine fields and `signature`, nothing else. */
export const signedQuoteShape: Shape<SignedQuote> = /* @__PURE__ */ named(
  'SignedQuote',
  "A maker's signed offer: the nine fields of `QuoteMarket.Quote` and the EIP-712 signature over them. Amounts are raw units of the pool's loan token. `taker` zero lets anyone take it; `deadline` is its last Unix second.",
  z.strictObject({ ...quoteKeys, signature }),
)

const takerProof = /* @__PURE__ */ z.strictObject({
  timestamp: field(unixSeconds, 'When it was signed, Unix seconds; it is valid for 24 hours.'),
  signature: field(signature, "The taker's signature of the typed data `TakerAuth`."),
})

/** A borrower's request; unknown keys are refused, and so is having both or none of `seriesKey` and `expiry`. */
export const rfqRequestShape: Shape<RFQRequest> = /* @__PURE__ */ named(
  'RFQRequest',
  "What a borrower asks for: a pool, the most that a quote may be for (`notional`), and exactly one of `seriesKey` and `expiry` (which picks the pool's active series with exactly this expiry, else the nearest later one; it must not be past). `maxVrtAmount` is the most that the borrower will pay, `taker` the account that will take the quote.",
  exactlyOne(
    z.strictObject({
      poolId: bytes32,
      seriesKey: z.exactOptional(bytes32),
      expiry: field(z.exactOptional(unixSeconds), 'Unix seconds.'),
      notional: field(positiveUint256, 'The most that a quote may be for, in raw units of the loan token.'),
      maxVrtAmount: field(z.exactOptional(uint256), 'The most that a quote may cost, in raw units of the loan token.'),
      minNotional: field(
        z.exactOptional(positiveUint256),
        "The least that a quote may be for, in raw units of the loan token, at most `notional`; by default a tenth of it. It is raised to the series' own least notional.",
      ),
      taker: field(z.exactOptional(address), 'The account that will take the quote; lets backers sign for it alone.'),
      takerProof: field(
        z.exactOptional(takerProof),
        'Proves that the request is of its `taker`. Neither forwarded nor kept.',
      ),
      shareRecord: field(
        z.exactOptional(z.boolean()),
        'Lets backers with means see the `takerRecord` of a proven taker: in steps, how much it owes, asks and takes. Without it, or for an unverified taker, none is told.',
      ),
    }),
    'seriesKey',
    'expiry',
  ),
)

const takerRecord: Shape<TakerRecord> = /* @__PURE__ */ named(
  'TakerRecord',
  'What a verified taker owes in the pool, has asked for and has taken, in steps.',
  z.object({
    unfixedDebt: field(
      uint256,
      'Its debt in the pool less the notional of its open positions, in raw units of the loan token, rounded down to 1, 2 or 5 times a power of ten.',
    ),
    asked: field(
      z.number(),
      'How many earlier RFQs of the last 30 days it had proven to be its own: the lower bound of 0, 1, 2 to 5, 6 to 20, or 21 and more.',
    ),
    taken: field(
      z.number(),
      'How many quotes it has taken in the last 30 days, of auctions and others: the same lower bounds.',
    ),
  }),
)

const termKeys = {
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: field(unixSeconds, 'When the series expires, Unix seconds.'),
  notional: field(positiveUint256, 'The most that a quote may be for, in raw units of the loan token.'),
  minNotional: field(
    z.exactOptional(positiveUint256),
    'The least that a quote may be for, in raw units of the loan token. Services before this version leave it out.',
  ),
  minDeadline: field(
    z.exactOptional(uint256),
    'The earliest deadline of a quote, Unix seconds. Services before this version leave it out.',
  ),
  maxVrtAmount: field(z.exactOptional(uint256), 'The most that a quote may cost, in raw units of the loan token.'),
  taker: field(z.exactOptional(address), 'The account that will take the quote.'),
  takerVerified: field(
    z.exactOptional(z.boolean()),
    'Whether the taker has proven itself and has at least `notional` of unfixed debt in the pool.',
  ),
  takerRecord: field(
    z.exactOptional(takerRecord),
    'What a verified taker owes, asks and takes, where its borrower lets backers with means see it.',
  ),
  openedAt: field(unixMilliseconds, 'Unix milliseconds.'),
  closesAt: field(unixMilliseconds, 'Unix milliseconds.'),
}

const rfqKeys = {
  rfqId: field(rfqId, "The borrower's secret id: it opens the result to anyone who has it."),
  ...termKeys,
}
const backers = /* @__PURE__ */ field(z.number(), 'How many authenticated backers were asked.')

/** An auction's terms, as its borrower sees them. */
export const rfqShape: Shape<RFQ> = /* @__PURE__ */ named(
  'RFQ',
  "An auction's terms, with the series that was found for them.",
  z.object(rfqKeys),
)

/** The keys of an auction as backers see it. */
export const broadcastKeys = {
  rfqId: field(publicRfqId, 'The public id of the auction.'),
  ...termKeys,
  traceparent: field(
    z.exactOptional(traceparent),
    'The `traceparent` (W3C Trace Context) of this message, for backers that have asked for it while the service writes traces.',
  ),
}

/** An auction's terms, as backers see them. */
export const rfqBroadcastShape: Shape<RFQBroadcast> = /* @__PURE__ */ named(
  'RFQBroadcast',
  "An auction's terms as backers see them: `rfqId` is the public id.",
  z.object(broadcastKeys),
)

/** The first event of a stream. */
export const rfqStartedShape: Shape<RFQStarted> = /* @__PURE__ */ named(
  'RFQStarted',
  "A stream's first event: the terms, and how many backers were asked.",
  z.object({ ...rfqKeys, backers }),
)

/** A quote that an auction has collected. */
export const collectedQuoteShape: Shape<CollectedQuote> = /* @__PURE__ */ named(
  'CollectedQuote',
  'A quote that an auction has collected.',
  z.object({
    hash: field(bytes32, "The quote's EIP-712 digest."),
    quote: signedQuoteShape,
    apr: field(z.number(), "Simple APR in percent over the series' remaining term at the time of receipt."),
    receivedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    unproven,
  }),
)

const interrupted = /* @__PURE__ */ field(
  z.exactOptional(z.boolean()),
  'True when the service was down at the close: it was closed later, with the quotes that had been accepted.',
)

const best = /* @__PURE__ */ field(
  z.exactOptional(
    z.object({
      hashes: field(z.array(bytes32), 'The quotes to take, each whole, the best rate first; empty when there is none.'),
      notional: field(uint256, 'What they fix together, in raw units of the loan token.'),
      cost: field(uint256, 'What they cost together, in raw units of the loan token.'),
    }),
  ),
  'The cheapest way to fix the requested notional with at most 4 quotes: with `maxVrtAmount`, of the sets whose quotes each cost at most their share of it, the one that fixes most, and of these the cheapest; without it, the one that costs least with what stays unfixed at twice the rate at which half is offered. Absent while the auction is open. Prices as of the close: check before taking.',
)

/** What an auction has come to. */
export const rfqResultShape: Shape<RFQResult> = /* @__PURE__ */ named(
  'RFQResult',
  'What an auction has come to; `quotes` is sorted best first.',
  z.object({
    ...rfqKeys,
    status: field(z.enum(['open', 'closed']), 'Whether it is over.'),
    closedAt: field(z.nullable(unixMilliseconds), 'Unix milliseconds, or null while the auction is open.'),
    backers,
    rejectedCount: field(z.number(), 'How many submissions were refused.'),
    interrupted,
    best,
    quotes: field(z.array(collectedQuoteShape), 'The accepted quotes, best first.'),
  }),
)

/** The last event of a stream. */
export const rfqSummaryShape: Shape<RFQSummary> = /* @__PURE__ */ named(
  'RFQSummary',
  'The close of an auction.',
  z.object({
    rfqId,
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: field(z.number(), 'How many quotes are in the result.'),
    rejectedCount: field(z.number(), 'How many submissions were refused.'),
    interrupted,
    best,
    ranking: field(z.array(bytes32), "The quotes' hashes, best first."),
  }),
)

/** The event that ends a stream before the close. */
export const rfqStreamErrorShape: Shape<RFQStreamFailure> = /* @__PURE__ */ named(
  'RFQStreamFailure',
  'The event that ends a stream before `done`: the result could not be written yet. The stream can be resumed.',
  z.object({
    code: field(z.string(), 'Why, for a program.'),
    message: field(z.string(), 'Why, in a sentence.'),
  }),
)

const rfqObservationShape: Shape<RFQObservation> = /* @__PURE__ */ named(
  'RFQObservation',
  'A quote that was seen in an auction: for discovery only, without signature.',
  z.object({
    rfqId: field(publicRfqId, 'The public id of the auction.'),
    hash: field(bytes32, "The quote's EIP-712 digest."),
    maker: address,
    poolId: bytes32,
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'When the series expires, Unix seconds.'),
    notional: field(uint256, 'Raw units of the loan token.'),
    vrtAmount: field(uint256, 'What the taker would pay, in raw units of the loan token.'),
    apr: field(z.number(), 'Simple APR in percent at the time of observation.'),
    observedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    executable: field(z.boolean(), 'Whether it could be taken when it was last checked.'),
    reason: field(z.exactOptional(z.string()), 'Why it could not: the code of its refusal.'),
  }),
)

/** Recent observations, newest first (`GET /rfq/quotes/recent`). */
export const rfqObservationsShape: Shape<{ quotes: RFQObservation[] }> = /* @__PURE__ */ described(
  z.object({ quotes: field(z.array(rfqObservationShape), 'Newest first.') }),
  { description: 'Quotes seen in auctions lately, newest first and without signatures; `rfqId` is the public id.' },
)
