import type { Code } from '../quote/rejection.ts'

/**
 * The HTTP status of every code and what it stands for, the same for every occurrence (RFC 9457, `title`). What is wrong
 * with a quote is 422: the request was understood, its content is refused. 404 means that the thing named by the URL does
 * not exist.
 */
export const problems = {
  INVALID_REQUEST: { status: 400, title: 'The request has mistakes' },
  POOL_NOT_FOUND: { status: 422, title: 'No such pool' },
  SERIES_NOT_FOUND: { status: 422, title: 'No such series' },
  SERIES_EXPIRED: { status: 422, title: 'The series has expired' },
  RFQ_NOT_FOUND: { status: 404, title: 'No such RFQ' },
  AUCTION_CLOSED: { status: 409, title: 'The auction has closed' },
  ALREADY_QUOTED: { status: 409, title: 'Quoted already' },
  OUTCOME_UNKNOWN: { status: 503, title: 'Not known yet whether it was stored' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The key belongs to another request' },
  MAKER_MISMATCH: { status: 422, title: 'Not the maker' },
  TERMS_MISMATCH: { status: 422, title: 'Not what was asked for' },
  NOTIONAL_TOO_SMALL: { status: 422, title: 'The notional is too small' },
  NOTIONAL_TOO_LARGE: { status: 422, title: 'The notional is too large' },
  VRT_AMOUNT_TOO_LARGE: { status: 422, title: 'The VRT amount is too large' },
  DEADLINE_PASSED: { status: 422, title: 'The deadline has passed' },
  DEADLINE_TOO_SOON: { status: 422, title: 'The deadline is too soon' },
  DEADLINE_TOO_FAR: { status: 422, title: 'The deadline is too far away' },
  BAD_SIGNATURE: { status: 422, title: 'Not signed by the maker' },
  NONCE_MISMATCH: { status: 422, title: "Not the maker's current nonce" },
  QUOTE_CANCELLED: { status: 422, title: 'The quote is cancelled' },
  QUOTE_FILLED: { status: 422, title: 'The quote has been taken' },
  INSUFFICIENT_BALANCE: { status: 422, title: 'The maker has too few tokens' },
  INSUFFICIENT_ALLOWANCE: { status: 422, title: 'The maker allows too few tokens' },
  CAPACITY_EXCEEDED: { status: 422, title: 'The series is too full' },
  NOT_EXECUTABLE: { status: 422, title: 'The contract would refuse the quote' },
  QUOTE_PRIVATE: { status: 422, title: "The quote is an auction's" },
  MAKER_SUSPENDED: { status: 503, title: "The maker's contract does not answer" },
  TAKER_PROOF_INVALID: { status: 422, title: 'The proof of the taker is not valid' },
  UNAUTHENTICATED: { status: 401, title: 'Not authenticated as a maker' },
  QUOTE_NOT_FOUND: { status: 404, title: 'No such quote' },
  NOT_FOUND: { status: 404, title: 'No such endpoint' },
  TOO_MANY_OPEN: { status: 429, title: 'Too many are open' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Not this method' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Not this media type' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  OVERLOADED: { status: 503, title: 'At the limit' },
  CHAIN_UNAVAILABLE: { status: 503, title: 'The chain cannot be read' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'The database does not answer' },
  INTERNAL: { status: 500, title: 'An error on our side' },
} as const satisfies Record<Code, { status: number; title: string }>

/** Where a service explains a code, in its own documentation: a URI reference on its origin. */
export function problemDocs(code: Code): string {
  return `/learn/reference/errors#${code.toLowerCase()}`
}

/** What every endpoint may answer. */
export const commonProblems = ['INVALID_REQUEST', 'OVERLOADED', 'INTERNAL'] as const satisfies readonly Code[]

/** What every endpoint with a body may answer besides. */
export const bodyProblems = ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const satisfies readonly Code[]
