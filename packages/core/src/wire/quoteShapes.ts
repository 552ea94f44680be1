import * as z from 'zod/mini'
import type {
  CollectedQuote,
  QuoteMarketQuote,
  Receipt,
  RFQ,
  RFQBroadcast,
  RFQObservation,
  RFQProgress,
  RFQRequest,
  RFQResult,
  RFQStarted,
  RFQStreamFailure,
  RFQSummary,
  SignedQuote,
  StreamOptions,
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

/** A signed promise or statement of the service. */
export const receiptShape: Shape<Receipt> = /* @__PURE__ */ named(
  'Receipt',
  "A signed promise or statement of the service: a leaf of a batch, and the signature over the batch's root.",
  z.object({
    log: field(z.string(), "The log's origin, `<host>/log/<n>`."),
    mergeBy: field(
      unixSeconds,
      "Unix seconds. A checkpoint that a witness cosigned at or after this time must include the auction's close. The latest of all auctions in the batch.",
    ),
    signature: field(
      signature,
      "The EIP-712 signature over the log, the batch's root and `mergeBy`: 65 bytes, v 27 or 28, low s.",
    ),
    index: field(z.number(), "The leaf's index in the batch."),
    path: field(z.array(z.string()), "Hashes from the leaf to the batch's root, in base64. At most 16."),
    salt: field(
      z.string(),
      '16 random bytes in base64, so that other receipts of the batch reveal nothing of this one.',
    ),
    leaf: field(z.string(), 'The encoded record in base64.'),
  }),
)

const receipt = /* @__PURE__ */ z.exactOptional(receiptShape)

/** The query of a stream, in a query string. Unknown keys are rejected. */
export const streamOptionsShape: Shape<StreamOptions> = /* @__PURE__ */ named(
  'StreamOptions',
  'What a stream contains besides its events.',
  z.strictObject({
    receipts: field(z.exactOptional(z.literal('1')), 'Requests receipts in `started` and `done`.'),
  }),
)

/** A quote's nine fields. */
export const quoteKeys = {
  maker: field(address, 'The account that offers the fixed rate and signs the quote.'),
  taker: field(address, 'The account that may take the quote. The zero address allows anyone.'),
  poolId: bytes32,
  seriesKey: bytes32,
  notional: field(positiveUint256, "The debt to fix, in raw units of the pool's loan token."),
  vrtAmount: field(
    uint256,
    "The price for the whole remaining term, paid by the taker, in raw units of the pool's loan token.",
  ),
  nonce: field(uint256, "The maker's current nonce on the quote market."),
  deadline: field(uint256, 'The last Unix second at which the quote can be taken.'),
  salt: field(bytes32, '32 bytes that distinguish otherwise equal quotes.'),
}

/** Marks quotes that comparisons ignore. */
export const unproven = /* @__PURE__ */ field(
  z.exactOptional(z.boolean()),
  'True if the maker is a contract and the quote is larger than ten times its largest fill in the same loan token. `best`, best rates and depth ignore the quote, because a contract can withdraw its consent in any block.',
)

/** A quote, with exactly nine fields. */
export const quoteShape: Shape<QuoteMarketQuote> = /* @__PURE__ */ named(
  'QuoteMarketQuote',
  "A maker's offer to take over the floating interest of a variable-rate debt until its series expires: the nine fields of `QuoteMarket.Quote`.",
  z.strictObject(quoteKeys),
)

/** A signed quote, with exactly nine fields and `signature`. */
export const signedQuoteShape: Shape<SignedQuote> = /* @__PURE__ */ named(
  'SignedQuote',
  "A maker's signed offer: the nine fields of `QuoteMarket.Quote` and the EIP-712 signature over them. Amounts are in raw units of the pool's loan token. If `taker` is zero, anyone may take the quote. `deadline` is the last Unix second at which it can be taken.",
  z.strictObject({ ...quoteKeys, signature }),
)

const takerProof = /* @__PURE__ */ z.strictObject({
  timestamp: field(unixSeconds, 'The time of signing, in Unix seconds. The proof is valid for 24 hours.'),
  signature: field(
    signature,
    "The taker's signature over the typed data `TakerAuth`. Its `purpose` depends on the request's `shareRecord`.",
  ),
})

/** A borrower's request. Requires exactly one of `seriesKey` and `expiry`, and rejects unknown keys. */
export const rfqRequestShape: Shape<RFQRequest> = /* @__PURE__ */ named(
  'RFQRequest',
  "A borrower's request: a pool, the maximum notional of a quote (`notional`), and exactly one of `seriesKey` and `expiry`. `expiry` selects the pool's active series with exactly this expiry or, if there is none, the next later one. It must not be in the past. `maxVrtAmount` is the most that the borrower will pay, and `taker` is the account that will take the quote.",
  exactlyOne(
    z.strictObject({
      poolId: bytes32,
      seriesKey: z.exactOptional(bytes32),
      expiry: field(z.exactOptional(unixSeconds), 'Unix seconds.'),
      notional: field(positiveUint256, 'The maximum notional of a quote, in raw units of the loan token.'),
      maxVrtAmount: field(z.exactOptional(uint256), 'The maximum cost of a quote, in raw units of the loan token.'),
      minNotional: field(
        z.exactOptional(positiveUint256),
        "The minimum notional of a quote, in raw units of the loan token, at most `notional`. Default: a tenth of `notional`. If it is below the series' own minimum, that applies instead.",
      ),
      taker: field(
        z.exactOptional(address),
        'The account that will take the quote. Backers may restrict their quotes to this account.',
      ),
      takerProof: field(
        z.exactOptional(takerProof),
        'Proves that the request is from `taker`. The service neither forwards nor stores it.',
      ),
      shareRecord: field(
        z.exactOptional(z.boolean()),
        'Whether backers with funds may see the `takerRecord` of a verified taker: its debt, requests and takes, as coarse steps. The taker signs it in its `takerProof`. If it is not set, or the taker is not verified, no backer sees it.',
      ),
    }),
    'seriesKey',
    'expiry',
  ),
)

const takerRecord: Shape<TakerRecord> = /* @__PURE__ */ named(
  'TakerRecord',
  "A verified taker's debt in the pool, requests and takes, as coarse steps.",
  z.object({
    unfixedDebt: field(
      uint256,
      'Debt in the pool minus the notional and accrued interest of active positions, in raw units of the loan token, rounded down to 1, 2 or 5 times a power of ten.',
    ),
    asked: field(
      z.number(),
      'Number of earlier RFQs with a proof in the last 30 days, as the lower bound of its range: 0, 1, 2 to 5, 6 to 20, or 21 and more.',
    ),
    taken: field(
      z.number(),
      'Number of quotes taken in the last 30 days, from auctions or published, as the lower bound of the same ranges.',
    ),
  }),
)

const termKeys = {
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: field(unixSeconds, 'Expiry of the series, Unix seconds.'),
  notional: field(positiveUint256, 'The maximum notional of a quote, in raw units of the loan token.'),
  minNotional: field(
    z.exactOptional(positiveUint256),
    'The minimum notional of a quote, in raw units of the loan token. Older services omit it.',
  ),
  minDeadline: field(
    z.exactOptional(uint256),
    'The earliest allowed deadline of a quote, in Unix seconds. Older services omit it.',
  ),
  maxVrtAmount: field(z.exactOptional(uint256), 'The maximum cost of a quote, in raw units of the loan token.'),
  taker: field(z.exactOptional(address), 'The account that will take the quote.'),
  takerVerified: field(
    z.exactOptional(z.boolean()),
    'Whether the taker has proven its account, and has had at least `notional` of unfixed debt in the pool for some minutes.',
  ),
  takerRecord: field(
    z.exactOptional(takerRecord),
    "A verified taker's debt, requests and takes, if the borrower lets backers with funds see them.",
  ),
  openedAt: field(unixMilliseconds, 'Unix milliseconds.'),
  closesAt: field(unixMilliseconds, 'Unix milliseconds.'),
}

const rfqKeys = {
  rfqId: field(rfqId, "The borrower's secret id. Anyone who has it can read the result."),
  ...termKeys,
}
const backers = /* @__PURE__ */ field(z.number(), 'Number of authenticated backers that received the RFQ.')

/** An auction's terms, as its borrower sees them. */
export const rfqShape: Shape<RFQ> = /* @__PURE__ */ named(
  'RFQ',
  "An auction's terms and its series.",
  z.object(rfqKeys),
)

/** The auction fields that backers see. */
export const broadcastKeys = {
  rfqId: field(publicRfqId, 'The public id of the auction.'),
  ...termKeys,
  traceparent: field(
    z.exactOptional(traceparent),
    'The `traceparent` (W3C Trace Context) of this message. Present for backers that requested traces, if the service records them.',
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
  "A stream's first event: the terms and the number of backers that received the RFQ.",
  z.object({
    ...rfqKeys,
    backers,
    receipt: field(
      receipt,
      "If the stream was requested with `receipts=1`: the receipt of the log's entry for the opening. Absent if the service keeps no log.",
    ),
    opening: field(
      z.exactOptional(
        z.object({
          salt: field(z.string(), '16 bytes in base64.'),
          record: field(z.string(), 'The encoded record in base64.'),
        }),
      ),
      "The auction's terms as the first leaf of its transcript, to whose hash the entry commits. Present with `receipt`.",
    ),
  }),
)

/** How many makers have answered an RFQ. */
export const rfqProgressShape: Shape<RFQProgress> = /* @__PURE__ */ named(
  'RFQProgress',
  'How many makers have answered an RFQ with a quote or a decline. Approximate, and not part of the result.',
  z.object({
    answered: field(z.number(), 'Number of makers that have answered.'),
    expected: field(
      z.number(),
      'Number of makers that have answered or are expected to: they answered at least half of their last 20 RFQs. At least `answered`.',
    ),
    backers: field(z.number(), 'Number of makers that received the RFQ. At least `expected`.'),
  }),
)

/** A quote collected by an auction. */
export const collectedQuoteShape: Shape<CollectedQuote> = /* @__PURE__ */ named(
  'CollectedQuote',
  'A quote collected by an auction.',
  z.object({
    hash: field(bytes32, "The quote's EIP-712 digest."),
    quote: signedQuoteShape,
    apr: field(z.number(), "Simple APR in percent over the series' remaining term at the time of receipt."),
    effectiveApy: field(
      z.exactOptional(z.nullable(z.number())),
      'Effective APY in percent at the time of receipt, or null if there is none. Older services omit it.',
    ),
    receivedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    unproven,
    status: field(
      z.exactOptional(z.enum(['filled', 'cancelled', 'nonce_raised'])),
      'How the quote ended on-chain, as of the response. Absent before it ends, and in streams.',
    ),
  }),
)

const interrupted = /* @__PURE__ */ field(
  z.exactOptional(z.boolean()),
  'True if the service was down at the close. The auction closed later, with the quotes accepted until then.',
)

const best = /* @__PURE__ */ field(
  z.exactOptional(
    z.object({
      hashes: field(z.array(bytes32), 'The quotes to take, each in full, best rate first. May be empty.'),
      notional: field(uint256, 'The total notional of these quotes, in raw units of the loan token.'),
      cost: field(uint256, 'The total cost of these quotes, in raw units of the loan token.'),
    }),
  ),
  'The cheapest way to fix the requested notional with at most 4 quotes. With `maxVrtAmount`, each quote costs at most its pro-rata share. The set that fixes the most wins, and among equals the cheapest. Without it, the set with the lowest cost wins, where the unfixed part is priced at twice the rate at which half of the notional is offered. Absent while the auction is open. It includes quotes that have been taken before the close: check the quotes before taking them.',
)

/** An auction's result. */
export const rfqResultShape: Shape<RFQResult> = /* @__PURE__ */ named(
  'RFQResult',
  'The state or result of an auction. `quotes` is sorted best first.',
  z.object({
    ...rfqKeys,
    status: field(z.enum(['open', 'closed']), 'Whether the auction is open.'),
    closedAt: field(z.nullable(unixMilliseconds), 'Unix milliseconds, or null while the auction is open.'),
    backers,
    rejectedCount: field(z.number(), 'Number of rejected submissions.'),
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
    quoteCount: field(z.number(), 'Number of quotes in the result.'),
    rejectedCount: field(z.number(), 'Number of rejected submissions.'),
    interrupted,
    best,
    ranking: field(z.array(bytes32), "The quotes' hashes, best first."),
    receipt: field(
      receipt,
      "If the stream was requested with `receipts=1`: the receipt of the log's entry for the close. Absent if the service keeps no log.",
    ),
  }),
)

/** The event that ends a stream before the auction closes. */
export const rfqStreamErrorShape: Shape<RFQStreamFailure> = /* @__PURE__ */ named(
  'RFQStreamFailure',
  'The event that ends a stream before `done`, because the result has not been stored yet. The stream can be resumed.',
  z.object({
    code: field(z.string(), 'The reason code.'),
    message: field(z.string(), 'The reason as a sentence.'),
  }),
)

const rfqObservationShape: Shape<RFQObservation> = /* @__PURE__ */ named(
  'RFQObservation',
  'A quote seen in an auction, without its signature. For discovery only.',
  z.object({
    rfqId: field(publicRfqId, 'The public id of the auction.'),
    hash: field(bytes32, "The quote's EIP-712 digest."),
    maker: address,
    poolId: bytes32,
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'Expiry of the series, Unix seconds.'),
    notional: field(uint256, 'Raw units of the loan token.'),
    vrtAmount: field(uint256, 'The price for the taker, in raw units of the loan token.'),
    apr: field(z.number(), 'Simple APR in percent at the time of observation.'),
    effectiveApy: field(
      z.exactOptional(z.nullable(z.number())),
      'Effective APY in percent at the time of observation, or null if there is none. Older services omit it.',
    ),
    observedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    executable: field(z.boolean(), 'Whether the quote was executable at the last check.'),
    reason: field(z.exactOptional(z.string()), 'The rejection code, if not executable.'),
  }),
)

/** Recent observations, newest first (`GET /rfq/quotes/recent`). */
export const rfqObservationsShape: Shape<{ quotes: RFQObservation[] }> = /* @__PURE__ */ described(
  z.object({ quotes: field(z.array(rfqObservationShape), 'Newest first.') }),
  { description: 'Quotes from recent auctions, newest first, without signatures. `rfqId` is the public id.' },
)
