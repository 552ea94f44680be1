import type { Code, Rejection } from '@firmquote/core'

/** Advice to clients for each code. A missing code is a compile error. */
export const errorAdvice: Readonly<Record<Code, string>> = {
  INVALID_REQUEST: 'Correct what `errors` names and send it again. The same request is refused each time.',
  POOL_NOT_FOUND:
    'Take a `poolId` of `GET /pools/rates`. Make sure that the service is that of your chain: `GET /config` has its `chainId`.',
  SERIES_NOT_FOUND:
    'Ask for one of the expiries in `details.available`, or for an earlier one: the next later series is meant.',
  SERIES_EXPIRED: 'Ask for a later series. A quote for this one can no longer be taken.',
  RFQ_NOT_FOUND:
    'Compare the `rfqId` with that of `started`. Results are kept for `RETENTION_DAYS`; makers have another id of the same auction.',
  AUCTION_CLOSED:
    'Nothing was stored. Answer the next auction sooner; publish the quote with `POST /quotes` if anybody may take it.',
  ALREADY_QUOTED:
    'Send nothing more for this auction. While the first quote is being judged, wait for its acknowledgement.',
  OUTCOME_UNKNOWN:
    'Send the same quote again, with the same salt and signature, until there is another answer. Count it as outstanding meanwhile.',
  MAKER_MISMATCH: 'Sign with the key of the account that is connected, or connect as the maker of the quote.',
  TERMS_MISMATCH:
    'Copy `poolId`, `seriesKey` and `taker` from the message `rfq`; `details.field` says which of them differs.',
  NOTIONAL_TOO_SMALL:
    'Ask or quote for at least `details.limit`. `GET /pools/rates` has the least notional of each series.',
  NOTIONAL_TOO_LARGE: 'Quote for at most the notional of the request, `details.limit`.',
  VRT_AMOUNT_TOO_LARGE: 'Quote a price of at most `details.limit`, or decline.',
  DEADLINE_PASSED: "Sign a new quote with a later deadline. Compare your clock with the service's.",
  DEADLINE_TOO_SOON: 'Sign a deadline of at least `details.limit`: `minDeadline` of the message `rfq`.',
  DEADLINE_TOO_FAR: 'Sign a deadline of at most `details.limit`.',
  BAD_SIGNATURE:
    'Compare your digest with `details.digest`. `details.cause` has the likely mistake: another chain, another contract, an old nonce, or a malformed signature.',
  NONCE_MISMATCH:
    "Read the maker's nonce from the quote market again and sign with it. All quotes of earlier nonces are void.",
  QUOTE_CANCELLED: 'Take another quote. Its maker has cancelled this one for good.',
  QUOTE_FILLED: 'Take another quote. A quote can be taken once.',
  INSUFFICIENT_BALANCE: 'As the maker: add loan tokens, or quote for less. As the taker: take another quote.',
  INSUFFICIENT_ALLOWANCE:
    'As the maker: allow the quote market more of the loan token. As the taker: take another quote.',
  CAPACITY_EXCEEDED: 'Ask for at most `details.capacity`, or for another series.',
  NOT_EXECUTABLE: "Read `details.reason`: it is the contract's own. Nothing was stored.",
  QUOTE_PRIVATE: 'To publish the same terms, sign them with another salt.',
  MAKER_SUSPENDED: 'Wait for `Retry-After`. A maker that is a contract must check a signature within 500,000 gas.',
  TAKER_PROOF_INVALID: 'Sign a new proof for the `takerAudience` of `GET /config`, or ask without one.',
  UNAUTHENTICATED:
    "Sign the header `Authorization` anew, with the maker's key, for the address of the socket in `GET /config`. `details.reason` says what is wrong.",
  QUOTE_NOT_FOUND: 'Compare the hash. It is the EIP-712 digest for the chain and the quote market of this service.',
  NOT_FOUND: 'Compare the path with the [REST reference](/reference/rest): endpoints are below `/api/v1`.',
  IDEMPOTENCY_KEY_REUSED:
    'Do not try again with this key. Use a new key for each request for quotes, and the same one only for the same body.',
  TOO_MANY_OPEN: 'Wait until open auctions have closed or published quotes have ended, as `Retry-After` says.',
  METHOD_NOT_ALLOWED: 'Use one of the methods in the header `Allow`.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json` in UTF-8, uncompressed.',
  PAYLOAD_TOO_LARGE: 'Send a body of at most 16 KiB.',
  RATE_LIMITED:
    'Wait for `Retry-After`. An integrator can have a key with quotas of its own from the operator, and a borrower can prove its account.',
  OVERLOADED:
    'Wait for `Retry-After` and send the same again; an auction with the same `Idempotency-Key`. Nothing was stored.',
  CHAIN_UNAVAILABLE: 'Wait a moment and send the same again. Nothing was stored. As the operator: look at the node.',
  STORAGE_UNAVAILABLE:
    'Send the same again: an auction with the same `Idempotency-Key`. As the operator: look at the disk or the database.',
  INTERNAL: 'Tell the operator the `requestId`: the log has the error under it.',
}

const [account, other] = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
] as const
const hash = '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4'
const poolId = `0x${'22'.repeat(32)}` as const

/** A sample rejection for each code with facts. */
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
  CAPACITY_EXCEEDED: { code: 'CAPACITY_EXCEEDED', notional: 250_000_000_000n, capacity: 100_000_000_000n },
  INSUFFICIENT_BALANCE: { code: 'INSUFFICIENT_BALANCE', balance: 100_000_000_000n, needed: 250_000_000_000n },
  INSUFFICIENT_ALLOWANCE: { code: 'INSUFFICIENT_ALLOWANCE', allowance: 0n, needed: 250_000_000_000n },
  NOT_EXECUTABLE: { code: 'NOT_EXECUTABLE', reason: 'SIGNATURE_CHECK_FAILED' },
  QUOTE_PRIVATE: { code: 'QUOTE_PRIVATE', hash },
  MAKER_SUSPENDED: { code: 'MAKER_SUSPENDED', maker: account, retryAfterSeconds: 5 },
  TAKER_PROOF_INVALID: { code: 'TAKER_PROOF_INVALID', reason: 'bad_signature' },
  UNAUTHENTICATED: { code: 'UNAUTHENTICATED', reason: 'timestamp_out_of_window' },
  ALREADY_QUOTED: { code: 'ALREADY_QUOTED', hash },
  OUTCOME_UNKNOWN: { code: 'OUTCOME_UNKNOWN', hash },
  IDEMPOTENCY_KEY_REUSED: { code: 'IDEMPOTENCY_KEY_REUSED' },
  TOO_MANY_OPEN: { code: 'TOO_MANY_OPEN', open: 4, limit: 4 },
  RATE_LIMITED: { code: 'RATE_LIMITED', retryAfterSeconds: 23 },
  RFQ_NOT_FOUND: { code: 'RFQ_NOT_FOUND', rfqId: '0123456789abcdef0123456789abcdef' },
  AUCTION_CLOSED: { code: 'AUCTION_CLOSED', closedAt: 1_767_225_615_000 },
  OVERLOADED: { code: 'OVERLOADED' },
  CHAIN_UNAVAILABLE: { code: 'CHAIN_UNAVAILABLE' },
  STORAGE_UNAVAILABLE: { code: 'STORAGE_UNAVAILABLE' },
}
