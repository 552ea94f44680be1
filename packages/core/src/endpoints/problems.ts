import type { Code } from '../quote/rejection.ts'

/**
 * The HTTP status and title (RFC 9457) of every code. The status for an invalid quote is 422, because the request is
 * well-formed but its content is rejected. A 404 means that no resource exists at the URL.
 */
export const problems = {
  INVALID_REQUEST: { status: 400, title: 'Invalid request' },
  POOL_NOT_FOUND: { status: 422, title: 'Pool not found' },
  SERIES_NOT_FOUND: { status: 422, title: 'Series not found' },
  SERIES_EXPIRED: { status: 422, title: 'The series has expired' },
  MARKET_HALTED: { status: 422, title: 'The market is halted' },
  RFQ_NOT_FOUND: { status: 404, title: 'RFQ not found' },
  AUCTION_CLOSED: { status: 409, title: 'The auction has closed' },
  ALREADY_QUOTED: { status: 409, title: 'Already quoted' },
  OUTCOME_UNKNOWN: { status: 503, title: 'Outcome not known yet' },
  PROOF_NOT_READY: { status: 425, title: 'The proof is not ready' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'Idempotency key reused' },
  MAKER_MISMATCH: { status: 422, title: 'Maker mismatch' },
  TERMS_MISMATCH: { status: 422, title: 'Terms do not match the request' },
  NOTIONAL_TOO_SMALL: { status: 422, title: 'The notional is too small' },
  NOTIONAL_TOO_LARGE: { status: 422, title: 'The notional is too large' },
  VRT_AMOUNT_TOO_LARGE: { status: 422, title: 'The VRT amount is too large' },
  DEADLINE_PASSED: { status: 422, title: 'The deadline has passed' },
  DEADLINE_TOO_SOON: { status: 422, title: 'The deadline is too soon' },
  DEADLINE_TOO_FAR: { status: 422, title: 'The deadline is too late' },
  BAD_SIGNATURE: { status: 422, title: 'Invalid signature' },
  NONCE_MISMATCH: { status: 422, title: 'Nonce mismatch' },
  QUOTE_CANCELLED: { status: 422, title: 'The quote is cancelled' },
  QUOTE_FILLED: { status: 422, title: 'The quote has been taken' },
  INSUFFICIENT_BALANCE: { status: 422, title: 'Insufficient maker balance' },
  INSUFFICIENT_ALLOWANCE: { status: 422, title: 'Insufficient maker allowance' },
  CAPACITY_EXCEEDED: { status: 422, title: 'Series capacity exceeded' },
  NOT_EXECUTABLE: { status: 422, title: 'The quote is not executable' },
  QUOTE_PRIVATE: { status: 422, title: 'The quote belongs to an auction' },
  MAKER_SUSPENDED: { status: 503, title: "The maker's contract does not answer" },
  MAKER_BANNED: { status: 403, title: 'The maker is banned' },
  TAKER_PROOF_INVALID: { status: 422, title: 'Invalid taker proof' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication required' },
  QUOTE_NOT_FOUND: { status: 404, title: 'Quote not found' },
  NOT_FOUND: { status: 404, title: 'Endpoint not found' },
  TOO_MANY_OPEN: { status: 429, title: 'Too many open RFQs or sockets' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  OVERLOADED: { status: 503, title: 'Service overloaded' },
  CHAIN_UNAVAILABLE: { status: 503, title: 'Chain unavailable' },
  CHAIN_DISAGREES: { status: 503, title: 'Nodes disagree about the chain' },
  STORAGE_UNAVAILABLE: { status: 503, title: 'Storage unavailable' },
  INTERNAL: { status: 500, title: 'Internal error' },
} as const satisfies Record<Code, { status: number; title: string }>

/** Returns the URI reference of a code's documentation, relative to the service's origin. */
export function problemDocs(code: Code): string {
  return `/learn/reference/errors#${code.toLowerCase()}`
}

/** Errors common to all endpoints. */
export const commonProblems = ['INVALID_REQUEST', 'OVERLOADED', 'INTERNAL'] as const satisfies readonly Code[]

/** Additional errors of endpoints with a body. */
export const bodyProblems = ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const satisfies readonly Code[]
