import type { Code, Rejection } from '@firmquote/core'

/** Advice to clients for each code. A missing code causes a compile error. */
export const errorAdvice: Readonly<Record<Code, string>> = {
  INVALID_REQUEST:
    'Correct the values listed in `errors` and send the request again. The same request will always be rejected.',
  POOL_NOT_FOUND:
    'Use a `poolId` from `GET /pools/rates`. Make sure that the service is for your chain: `GET /config` returns its `chainId`.',
  SERIES_NOT_FOUND:
    'Request one of the expiries in `details.available`, or an earlier one, which selects the next later series.',
  SERIES_EXPIRED: 'Request a later series. Quotes for this series can no longer be taken.',
  MARKET_HALTED:
    'Show the message to the borrower, and request another series or wait. `halted` in `GET /pools/rates` says when the halt has ended.',
  RFQ_NOT_FOUND:
    'Compare the `rfqId` with the one in `started`. Results are retained for `RETENTION_DAYS`. Makers receive a different id for the same auction.',
  AUCTION_CLOSED:
    'The quote was not stored. Answer the next auction sooner. If anyone may take the quote, publish it with `POST /quotes`.',
  ALREADY_QUOTED:
    'Do not send any more quotes for this auction. If your first quote is still being judged, wait for its acknowledgement.',
  OUTCOME_UNKNOWN:
    'Resend the same quote, with the same salt and signature, until you get a different answer. Until then, count it as outstanding.',
  MAKER_MISMATCH: "Sign with the connected account's key, or connect as the quote's maker.",
  TERMS_MISMATCH:
    'Copy `poolId`, `seriesKey` and `taker` from the `rfq` message. `details.field` names the field that differs.',
  NOTIONAL_TOO_SMALL:
    'Request or quote at least `details.limit`. `GET /pools/rates` returns the minimum notional of each series.',
  NOTIONAL_TOO_LARGE: 'Quote at most the requested notional, `details.limit`.',
  VRT_AMOUNT_TOO_LARGE: 'Quote a price of at most `details.limit`, or decline.',
  DEADLINE_PASSED: "Sign a new quote with a later deadline. Compare your clock with the service's.",
  DEADLINE_TOO_SOON: 'Sign a deadline of at least `details.limit`, which is the `minDeadline` in the `rfq` message.',
  DEADLINE_TOO_FAR: 'Sign a deadline of at most `details.limit`.',
  BAD_SIGNATURE:
    'Compare your digest with `details.digest`. `details.cause` gives the likely cause: another chain, another contract, an old nonce, or a malformed signature.',
  NONCE_MISMATCH:
    "Read the maker's nonce from the quote market again, and sign with it. All quotes with earlier nonces are invalid.",
  QUOTE_CANCELLED: 'Take another quote. The maker has permanently cancelled this one.',
  QUOTE_FILLED: 'Take another quote. Each quote can be taken only once.',
  INSUFFICIENT_BALANCE: 'As the maker, add loan tokens or quote a smaller notional. As the taker, take another quote.',
  INSUFFICIENT_ALLOWANCE:
    "As the maker, raise the quote market's allowance for the loan token. As the taker, take another quote.",
  CAPACITY_EXCEEDED: 'Request at most `details.capacity`, or another series.',
  NOT_EXECUTABLE: "See `details.reason`, which is the contract's own reason. The quote was not stored.",
  QUOTE_PRIVATE: 'To publish the same terms, sign them with another salt.',
  MAKER_SUSPENDED:
    'Retry after the time in `Retry-After`. A maker that is a contract must check a signature within 500,000 gas.',
  MAKER_BANNED:
    "Contact the service's operator. `details.until` is when the ban ends, in Unix seconds, or `null` if it has no end.",
  TAKER_PROOF_INVALID:
    'Sign a new proof for the `takerAudience` from `GET /config`, or send the request without a proof.',
  UNAUTHENTICATED:
    "Sign a new `Authorization` header with the maker's key, for the socket URL in `GET /config`. `details.reason` says what is wrong.",
  QUOTE_NOT_FOUND: "Check the hash. It is the EIP-712 digest for this service's chain and quote market.",
  NOT_FOUND: 'Compare the path with the [REST reference](/reference/rest). Most endpoints are under `/api/v1`.',
  PROOF_NOT_READY: 'Retry after the time in `Retry-After`: the log has an auction within a minute of its end.',
  IDEMPOTENCY_KEY_REUSED:
    'Do not retry with this key. Use a new key for each request for quotes, and reuse a key only with the same body.',
  TOO_MANY_OPEN:
    'Wait until some of your open auctions have closed or some of your published quotes have ended. `Retry-After` says how long to wait.',
  METHOD_NOT_ALLOWED: 'Use one of the methods in the `Allow` header.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json` in UTF-8, uncompressed.',
  PAYLOAD_TOO_LARGE: 'Send a body of at most 16 KiB.',
  RATE_LIMITED:
    'Retry after the time in `Retry-After`. To get a separate quota, an integrator can request an API key from the operator, and a borrower can prove its account.',
  OVERLOADED:
    'Retry after the time in `Retry-After`; for an auction, use the same `Idempotency-Key`. Nothing was stored.',
  CHAIN_UNAVAILABLE: 'Wait a moment and retry. Nothing was stored. As the operator, check the node.',
  CHAIN_DISAGREES:
    'Retry later. Nothing was stored. As the operator, find out which node has the wrong chain and remove it from `RPC_URL`.',
  STORAGE_UNAVAILABLE:
    'Retry; for an auction, use the same `Idempotency-Key`. As the operator, check the disk or the database.',
  INTERNAL: 'Report the `requestId` to the operator, who can find the error in the log by this ID.',
}

const [account, other] = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
] as const
const hash = '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4'
const poolId = `0x${'22'.repeat(32)}` as const

/** A sample rejection for each code that has facts. */
export const sampleRejections: { readonly [Refusal in Rejection as Refusal['code']]: Refusal } = {
  MAKER_MISMATCH: { code: 'MAKER_MISMATCH', maker: account, expected: other },
  TERMS_MISMATCH: { code: 'TERMS_MISMATCH', field: 'poolId', value: hash, expected: poolId },
  NOTIONAL_TOO_SMALL: { code: 'NOTIONAL_TOO_SMALL', notional: 1_000_000n, limit: 10_000_000n },
  NOTIONAL_TOO_LARGE: { code: 'NOTIONAL_TOO_LARGE', notional: 300_000_000_000n, limit: 250_000_000_000n },
  VRT_AMOUNT_TOO_LARGE: { code: 'VRT_AMOUNT_TOO_LARGE', vrtAmount: 4_108_219_178n, limit: 3_767_120_000n },
  DEADLINE_PASSED: { code: 'DEADLINE_PASSED', deadline: 1_767_226_200n, limit: 1_767_226_300n },
  DEADLINE_TOO_SOON: { code: 'DEADLINE_TOO_SOON', deadline: 1_767_226_200n, limit: 1_767_226_275n },
  DEADLINE_TOO_FAR: { code: 'DEADLINE_TOO_FAR', deadline: 1_798_761_600n, limit: 1_767_312_600n },
  BAD_SIGNATURE: { code: 'BAD_SIGNATURE', digest: hash, recovered: other, cause: 'wrong_chain' },
  NONCE_MISMATCH: { code: 'NONCE_MISMATCH', nonce: 0n, makerNonce: 1n },
  QUOTE_CANCELLED: { code: 'QUOTE_CANCELLED', hash },
  QUOTE_FILLED: { code: 'QUOTE_FILLED', hash },
  POOL_NOT_FOUND: { code: 'POOL_NOT_FOUND', poolId },
  SERIES_NOT_FOUND: { code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available: [1_798_761_600, 1_806_537_600] },
  SERIES_EXPIRED: { code: 'SERIES_EXPIRED', seriesKey: hash, expiry: 1_767_225_600 },
  MARKET_HALTED: {
    ...{ code: 'MARKET_HALTED', scope: 'pool', since: 1_767_225_600_000 },
    message: 'The price feed is being replaced.',
  },
  CAPACITY_EXCEEDED: { code: 'CAPACITY_EXCEEDED', notional: 250_000_000_000n, capacity: 100_000_000_000n },
  INSUFFICIENT_BALANCE: { code: 'INSUFFICIENT_BALANCE', balance: 100_000_000_000n, needed: 250_000_000_000n },
  INSUFFICIENT_ALLOWANCE: { code: 'INSUFFICIENT_ALLOWANCE', allowance: 0n, needed: 250_000_000_000n },
  NOT_EXECUTABLE: { code: 'NOT_EXECUTABLE', reason: 'SIGNATURE_CHECK_FAILED' },
  QUOTE_PRIVATE: { code: 'QUOTE_PRIVATE', hash },
  MAKER_SUSPENDED: { code: 'MAKER_SUSPENDED', maker: account, retryAfterSeconds: 5 },
  MAKER_BANNED: { code: 'MAKER_BANNED', maker: account, until: 1_800_000_000 },
  TAKER_PROOF_INVALID: { code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' },
  UNAUTHENTICATED: { code: 'UNAUTHENTICATED', reason: 'timestamp_out_of_window' },
  ALREADY_QUOTED: { code: 'ALREADY_QUOTED', hash },
  OUTCOME_UNKNOWN: { code: 'OUTCOME_UNKNOWN', hash },
  IDEMPOTENCY_KEY_REUSED: { code: 'IDEMPOTENCY_KEY_REUSED' },
  TOO_MANY_OPEN: { code: 'TOO_MANY_OPEN', open: 4, limit: 4 },
  RATE_LIMITED: { code: 'RATE_LIMITED', retryAfterSeconds: 23 },
  PROOF_NOT_READY: { code: 'PROOF_NOT_READY', retryAfterSeconds: 2 },
  RFQ_NOT_FOUND: { code: 'RFQ_NOT_FOUND', rfqId: '0123456789abcdef0123456789abcdef' },
  AUCTION_CLOSED: { code: 'AUCTION_CLOSED', closedAt: 1_767_225_615_000 },
  OVERLOADED: { code: 'OVERLOADED' },
  CHAIN_UNAVAILABLE: { code: 'CHAIN_UNAVAILABLE' },
  CHAIN_DISAGREES: { code: 'CHAIN_DISAGREES' },
  STORAGE_UNAVAILABLE: { code: 'STORAGE_UNAVAILABLE' },
}
