// Why: docs/decisions/0003-one-record-per-endpoint.md
import type { Address, Hex } from 'viem'
import { type ReadAuthRefusal, readAuthText } from '../auth/readAuth.ts'
import { guardInput } from '../values/guardInput.ts'
import type { SignatureCause } from './signatureCause.ts'

/** All error codes that the service returns, over HTTP and over the socket. Stable. */
export const codes = [
  'INVALID_REQUEST',
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'MARKET_HALTED',
  'RFQ_NOT_FOUND',
  'AUCTION_CLOSED',
  'ALREADY_QUOTED',
  'OUTCOME_UNKNOWN',
  'MAKER_MISMATCH',
  'TERMS_MISMATCH',
  'NOTIONAL_TOO_SMALL',
  'NOTIONAL_TOO_LARGE',
  'VRT_AMOUNT_TOO_LARGE',
  'DEADLINE_PASSED',
  'DEADLINE_TOO_SOON',
  'DEADLINE_TOO_FAR',
  'BAD_SIGNATURE',
  'NONCE_MISMATCH',
  'QUOTE_CANCELLED',
  'QUOTE_FILLED',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'CAPACITY_EXCEEDED',
  'NOT_EXECUTABLE',
  'QUOTE_PRIVATE',
  'MAKER_SUSPENDED',
  'MAKER_BANNED',
  'TAKER_PROOF_INVALID',
  'UNAUTHENTICATED',
  'QUOTE_NOT_FOUND',
  'NOT_FOUND',
  'PROOF_NOT_READY',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_OPEN',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'OVERLOADED',
  'CHAIN_UNAVAILABLE',
  'CHAIN_DISAGREES',
  'STORAGE_UNAVAILABLE',
  'INTERNAL',
] as const

/** One of {@link codes}. */
export type Code = (typeof codes)[number]

/**
 * Returns whether a code is temporary: the service could not read the chain or its database, or was at capacity. After
 * a temporary rejection, nothing is stored, and the same request may be retried.
 *
 * @example
 * ```ts
 * isTemporary('CHAIN_UNAVAILABLE') // true
 * ```
 */
export function isTemporary(code: string): boolean {
  return ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'OVERLOADED'].includes(code)
}

/** Formatters for amounts (raw units of the pool's loan token) and times (Unix seconds). */
export type RejectionWords = { amount(raw: bigint): string; instant(unixSeconds: bigint | number): string }

const rawWords: RejectionWords = { amount: String, instant: String }

/**
 * All expected rejections: the code, the facts, and a sentence that states what is wrong and which values are accepted.
 * Amounts are in raw units of the pool's loan token, and times are in Unix seconds.
 */
const sentences = {
  MAKER_MISMATCH: ({ maker, expected }: { maker: Address; expected: Address }) =>
    `The quote's maker is ${maker}, but ${expected} sent it.`,
  TERMS_MISMATCH: (facts: { field: 'poolId' | 'seriesKey' | 'taker'; value: Hex; expected: Hex }) =>
    `The quote's ${facts.field} is ${facts.value}, but the request requires ${facts.expected}.`,
  NOTIONAL_TOO_SMALL: ({ notional, limit }: { notional: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is below the minimum of ${amount(limit)}.`,
  NOTIONAL_TOO_LARGE: ({ notional, limit }: { notional: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is above the requested ${amount(limit)}.`,
  VRT_AMOUNT_TOO_LARGE: ({ vrtAmount, limit }: { vrtAmount: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The vrtAmount ${amount(vrtAmount)} is above the request's maxVrtAmount ${amount(limit)}.`,
  DEADLINE_PASSED: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} has passed. The current time is ${instant(limit)}.`,
  DEADLINE_TOO_SOON: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} leaves too little time to take the quote. The earliest is ${instant(limit)}.`,
  DEADLINE_TOO_FAR: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} is too late. The latest is ${instant(limit)}.`,
  BAD_SIGNATURE: ({ cause }: { digest: Hex; recovered: Address | null; cause: SignatureCause | null }) =>
    signatureText(cause),
  NONCE_MISMATCH: ({ nonce, makerNonce }: { nonce: bigint; makerNonce: bigint }) =>
    `The quote's nonce is ${nonce}, but the maker's current nonce is ${makerNonce}.`,
  QUOTE_CANCELLED: (_: { hash: Hex }) => 'The maker has cancelled this quote on-chain.',
  QUOTE_FILLED: (_: { hash: Hex }) => 'This quote has already been taken.',
  POOL_NOT_FOUND: ({ poolId }: { poolId: Hex }) => `There is no pool ${poolId}.`,
  SERIES_NOT_FOUND: (facts: MissingSeries, { instant }: RejectionWords) => missingSeriesText(facts, instant),
  SERIES_EXPIRED: ({ expiry }: { seriesKey: Hex; expiry: number }, { instant }: RejectionWords) =>
    `The series expired at ${instant(expiry)}.`,
  MARKET_HALTED: ({ scope, message }: { scope: HaltScope; since: number; message: string | null }) =>
    `The operator has halted ${halted[scope]}${message === null ? '.' : `: ${message}`}`,
  CAPACITY_EXCEEDED: ({ notional, capacity }: { notional: bigint; capacity: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is above the series' remaining capacity ${amount(capacity)}.`,
  INSUFFICIENT_BALANCE: ({ balance, needed }: { balance: bigint; needed: bigint }, { amount }: RejectionWords) =>
    `The maker holds ${amount(balance)} of the loan token, but the quote needs ${amount(needed)}.`,
  INSUFFICIENT_ALLOWANCE: ({ allowance, needed }: { allowance: bigint; needed: bigint }, { amount }: RejectionWords) =>
    `The maker's allowance to the quote market is ${amount(allowance)} of the loan token, but the quote needs ${amount(needed)}.`,
  NOT_EXECUTABLE: ({ reason }: { reason: string }) => `The contract would not execute this quote: ${reason}.`,
  QUOTE_PRIVATE: (_: { hash: Hex }) =>
    'The quote belongs to an auction and its borrower. To publish the same terms, sign them with another salt.',
  MAKER_SUSPENDED: ({ maker, retryAfterSeconds }: { maker: Address; retryAfterSeconds: number }) =>
    `The contract ${maker} did not finish within the gas and time limits of a signature check. Retry in ${retryAfterSeconds} seconds.`,
  MAKER_BANNED: ({ maker, until }: { maker: Address; until: number | null }, { instant }: RejectionWords) =>
    `The operator of this service has banned the maker ${maker}${until === null ? '' : ` until ${instant(until)}`}.`,
  TAKER_PROOF_INVALID: ({ reason }: { reason: 'no_taker' | 'timestamp_out_of_window' | 'bad_signature' }) =>
    takerProofText(reason),
  UNAUTHENTICATED: ({ reason }: { reason: ReadAuthRefusal }) => readAuthText(reason),
  ALREADY_QUOTED: ({ hash }: { hash: Hex | null }) =>
    hash === null
      ? 'Your quote for this RFQ is still being checked, or you have used up your attempts.'
      : `You have already quoted on this RFQ (${hash}).`,
  OUTCOME_UNKNOWN: ({ hash }: { hash: Hex }) =>
    `It is not yet known whether the quote ${hash} was stored. Retry with exactly the same quote.`,
  IDEMPOTENCY_KEY_REUSED: (_: NoFacts) =>
    'The Idempotency-Key belongs to another request. Use a new key for each request.',
  TOO_MANY_OPEN: ({ open, limit }: { open: number; limit: number }) =>
    `${open} are already open, and the limit is ${limit}.`,
  RATE_LIMITED: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
    `Too many requests from your address in the last minute. Retry in ${retryAfterSeconds} seconds.`,
  PROOF_NOT_READY: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
    `No checkpoint of the log has the close of the auction yet. Retry in ${retryAfterSeconds} seconds.`,
  RFQ_NOT_FOUND: ({ rfqId }: { rfqId: string }) => `There is no RFQ ${rfqId}.`,
  AUCTION_CLOSED: (_: { closedAt: number }) => 'The auction has closed.',
  OVERLOADED: (_: NoFacts) => 'The service is overloaded or restarting. Retry shortly.',
  CHAIN_UNAVAILABLE: (_: NoFacts) => 'The service failed to read the chain and stored nothing. Retry.',
  CHAIN_DISAGREES: (_: NoFacts) =>
    "The service's nodes disagree about finalized blocks, so it checked and stored nothing. Retry later.",
  STORAGE_UNAVAILABLE: (_: NoFacts) => 'The database did not respond, and nothing was stored. Retry.',
} satisfies { [Refusal in Code]?: unknown }

/** Scope of a halt: all new RFQs, or the new RFQs and published quotes of a pool or series. */
export type HaltScope = 'rfqs' | 'pool' | 'series'

const halted: Readonly<Record<HaltScope, string>> = { rfqs: 'new RFQs', pool: 'this pool', series: 'this series' }

type NoFacts = Record<never, never>
type Deadline = { deadline: bigint; limit: bigint }
/**
 * `seriesKey` is null if the request specified only an expiry. `available` lists the expiries of the pool's active
 * series, or is null if the series were not read.
 */
type MissingSeries = { poolId: Hex; seriesKey: Hex | null; available: number[] | null }

type Facts = { [Refusal in keyof typeof sentences]: Parameters<(typeof sentences)[Refusal]>[0] }

/**
 * An expected rejection as a value: a code and its facts. Amounts are in raw units of the pool's loan token, times are
 * in Unix seconds, and `closedAt` and `since` are in Unix milliseconds. The documentation's page "Errors by code" lists the facts of
 * each code.
 */
export type Rejection = { [Refusal in keyof Facts]: { code: Refusal } & Facts[Refusal] }[keyof Facts]

/**
 * Describes in a sentence what is wrong and which values are accepted.
 *
 * @param words Formatters for amounts and times. Default: raw units and Unix seconds.
 * @example
 * ```ts
 * const rejection = { code: 'NONCE_MISMATCH', nonce: 1n, makerNonce: 2n } as const
 * describeRejection(rejection) // "The quote's nonce is 1, but the maker's current nonce is 2."
 * ```
 */
export function describeRejection(rejection: Rejection, words: RejectionWords = rawWords): string {
  return guardInput('rejection', () => {
    const sentence = sentences[rejection.code] as (facts: Rejection, words: RejectionWords) => string
    return sentence(rejection, words)
  })
}

function missingSeriesText(
  { poolId, seriesKey, available }: MissingSeries,
  instant: RejectionWords['instant'],
): string {
  const missing = seriesKey === null ? 'no active series with that or a later expiry' : `no series ${seriesKey}`
  if (available === null) return `The pool ${poolId} has ${missing}.`
  return available.length > 0
    ? `The pool ${poolId} has ${missing}. Its active expiries are ${available.map(instant).join(', ')}.`
    : `The pool ${poolId} has no active series.`
}

function takerProofText(reason: 'no_taker' | 'timestamp_out_of_window' | 'bad_signature'): string {
  switch (reason) {
    case 'no_taker':
      return 'A takerProof requires the taker field, which is missing.'
    case 'timestamp_out_of_window':
      return 'The takerProof is older than 24 hours, or its timestamp is in the future.'
    case 'bad_signature':
      return 'The takerProof is not signed by the taker for this service and this shareRecord.'
  }
}

function signatureText(cause: SignatureCause | null): string {
  switch (cause) {
    case 'not_65_bytes':
      return 'The signature must be exactly 65 bytes (r, s, v). ERC-6492 wrappers are not supported.'
    case 'v_not_27_or_28':
      return "The signature's last byte must be 27 or 28."
    case 'high_s':
      return "The signature's s is in the upper half of the curve order. Use its low-s form (EIP-2)."
    case 'wrong_chain':
      return 'The quote was signed for another chain id.'
    case 'wrong_contract':
      return 'The quote was signed for another contract. The verifying contract must be the quote market.'
    case 'stale_nonce':
      return 'The quote was signed with a nonce other than its own.'
    default:
      return "The signature is not the maker's."
  }
}

/** Returns a rejection's facts as JSON, without the code. Bigints become decimal strings. */
export function rejectionDetails(rejection: Rejection): Record<string, string | number | number[] | null> {
  const { code: _, ...facts } = rejection
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
  )
}
