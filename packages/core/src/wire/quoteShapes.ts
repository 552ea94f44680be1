import * as z from 'zod/mini'
import type { QuoteMarketQuote, SignedQuote } from '../quote.ts'
import type { CollectedQuote, RFQ, RFQObservation, RFQRequest, RFQResult, RFQSummary } from '../rfq.ts'
import type { Shape } from './decode.ts'
import {
  address,
  bytes32,
  positiveUint256,
  rfqId,
  signature,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
import { described } from './wireRegistry.ts'

/** A quote's nine fields. */
export const quoteKeys = {
  maker: address,
  taker: address,
  poolId: bytes32,
  seriesKey: bytes32,
  notional: positiveUint256,
  vrtAmount: uint256,
  nonce: uint256,
  deadline: uint256,
  salt: bytes32,
}

/** A quote's nine fields, nothing else. */
export const quoteShape: Shape<QuoteMarketQuote> = /* @__PURE__ */ z.strictObject(quoteKeys)

/** A signed quote: the nine fields and `signature`, nothing else. */
export const signedQuoteShape: Shape<SignedQuote> = /* @__PURE__ */ z.strictObject({ ...quoteKeys, signature })

/** A borrower's request; unknown keys are refused, and so is having both or none of `seriesKey` and `expiry`. */
export const rfqRequestShape: Shape<RFQRequest> = /* @__PURE__ */ described(
  z.pipe(
    z
      .strictObject({
        poolId: bytes32,
        seriesKey: z.exactOptional(bytes32),
        expiry: z.exactOptional(unixSeconds),
        notional: positiveUint256,
        maxVrtAmount: z.exactOptional(uint256),
        taker: z.exactOptional(address),
      })
      .check(
        z.refine((request) => (request.seriesKey === undefined) !== (request.expiry === undefined), {
          error: 'must be given, or expiry instead: exactly one of the two',
          path: ['seriesKey'],
        }),
      ),
    z.transform((request) => request as RFQRequest),
  ),
  {
    description:
      "What a borrower asks for: a pool, the most that a quote may be for (`notional`), and exactly one of `seriesKey` and `expiry` (which picks the pool's active series with exactly this expiry, else the nearest later one). `maxVrtAmount` is the most that the borrower will pay, `taker` the account that will take the quote.",
    oneOf: [{ required: ['seriesKey'] }, { required: ['expiry'] }],
  },
)

const rfqKeys = {
  rfqId,
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: unixSeconds,
  notional: positiveUint256,
  maxVrtAmount: z.exactOptional(uint256),
  taker: z.exactOptional(address),
  openedAt: unixMilliseconds,
  closesAt: unixMilliseconds,
}

/** An auction's terms. */
export const rfqShape: Shape<RFQ> = /* @__PURE__ */ z.object(rfqKeys)

/** The first event of a stream. */
export const rfqStartedShape: Shape<RFQ & { backers: number }> = /* @__PURE__ */ z.object({
  ...rfqKeys,
  backers: z.number(),
})

/** A quote that an auction has collected. */
export const collectedQuoteShape: Shape<CollectedQuote> = /* @__PURE__ */ z.object({
  hash: bytes32,
  quote: signedQuoteShape,
  apr: z.number(),
  receivedAt: unixMilliseconds,
})

/** What an auction has come to. */
export const rfqResultShape: Shape<RFQResult> = /* @__PURE__ */ z.object({
  ...rfqKeys,
  status: z.enum(['open', 'closed']),
  closedAt: z.nullable(unixMilliseconds),
  backers: z.number(),
  rejectedCount: z.number(),
  quotes: z.array(collectedQuoteShape),
})

/** The last event of a stream. */
export const rfqSummaryShape: Shape<RFQSummary> = /* @__PURE__ */ z.object({
  rfqId,
  closedAt: unixMilliseconds,
  quoteCount: z.number(),
  rejectedCount: z.number(),
  ranking: z.array(bytes32),
})

/** The event that ends a stream before the close. */
export const rfqStreamErrorShape: Shape<{ code: string; message: string }> = /* @__PURE__ */ z.object({
  code: z.string(),
  message: z.string(),
})

const rfqObservationShape: Shape<RFQObservation> = /* @__PURE__ */ z.object({
  rfqId,
  hash: bytes32,
  maker: address,
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: unixSeconds,
  notional: uint256,
  vrtAmount: uint256,
  apr: z.number(),
  observedAt: unixMilliseconds,
  executable: z.boolean(),
  reason: z.exactOptional(z.string()),
})

/** Recent observations, newest first (`GET /rfq/quotes/recent`). */
export const rfqObservationsShape: Shape<{ quotes: RFQObservation[] }> = /* @__PURE__ */ z.object({
  quotes: z.array(rfqObservationShape),
})
