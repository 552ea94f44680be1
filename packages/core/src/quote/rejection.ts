// Why: docs/decisions/0003-one-record-per-endpoint.md
import type { Address, Hex } from 'viem'
import { type ReadAuthRefusal, readAuthText } from '../auth/readAuth.ts'
import type { SignatureCause } from './signatureCause.ts'

/** Every code that the service answers with, over HTTP and over the socket alike. Stable. */
export const codes = [
  'INVALID_REQUEST',
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
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
  'TAKER_PROOF_INVALID',
  'UNAUTHENTICATED',
  'QUOTE_NOT_FOUND',
  'NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'TOO_MANY_OPEN',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'OVERLOADED',
  'CHAIN_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'INTERNAL',
] as const

/** One of {@link codes}. */
export type Code = (typeof codes)[number]

/**
 * Whether a refusal says nothing of what was sent: the service could not read the chain or its database, or had no room. Nothing was
 * stored, and the same may be sent again.
 */
export function isTemporary(code: string): boolean {
  return code === 'CHAIN_UNAVAILABLE' || code === 'STORAGE_UNAVAILABLE' || code === 'OVERLOADED'
}

/** How a sentence writes amounts, raw units of the pool's loan token, and times, Unix seconds. */
export type RejectionWords = { amount(raw: bigint): string; instant(unixSeconds: bigint | number): string }

const rawWords: RejectionWords = { amount: String, instant: String }

/**
 * Every expected refusal: its code, the facts that explain it, and the sentence that says what is wrong and what would be
 * right. Amounts are raw units of the pool's loan token, times Unix seconds.
 */
const sentences = {
  MAKER_MISMATCH: ({ maker, expected }: { maker: Address; expected: Address }) =>
    `The quote's maker is ${maker}, but it was sent by ${expected}.`,
  TERMS_MISMATCH: (facts: { field: 'poolId' | 'seriesKey' | 'taker'; value: Hex; expected: Hex }) =>
    `The quote's ${facts.field} is ${facts.value}, the request asks for ${facts.expected}.`,
  NOTIONAL_TOO_SMALL: ({ notional, limit }: { notional: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is below the least of ${amount(limit)}.`,
  NOTIONAL_TOO_LARGE: ({ notional, limit }: { notional: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is above the requested ${amount(limit)}.`,
  VRT_AMOUNT_TOO_LARGE: ({ vrtAmount, limit }: { vrtAmount: bigint; limit: bigint }, { amount }: RejectionWords) =>
    `The vrtAmount ${amount(vrtAmount)} is above the request's maxVrtAmount ${amount(limit)}.`,
  DEADLINE_PASSED: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} has passed: it is ${instant(limit)} now.`,
  DEADLINE_TOO_SOON: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} is too soon to be taken safely; the earliest is ${instant(limit)}.`,
  DEADLINE_TOO_FAR: ({ deadline, limit }: Deadline, { instant }: RejectionWords) =>
    `The deadline ${instant(deadline)} is too far away; the latest is ${instant(limit)}.`,
  BAD_SIGNATURE: ({ cause }: { digest: Hex; recovered: Address | null; cause: SignatureCause | null }) =>
    signatureText(cause),
  NONCE_MISMATCH: ({ nonce, makerNonce }: { nonce: bigint; makerNonce: bigint }) =>
    `The quote's nonce is ${nonce}, the maker's current nonce is ${makerNonce}.`,
  QUOTE_CANCELLED: (_: { hash: Hex }) => 'The maker has cancelled this quote on-chain.',
  QUOTE_FILLED: (_: { hash: Hex }) => 'This quote has been taken already.',
  POOL_NOT_FOUND: ({ poolId }: { poolId: Hex }) => `There is no pool ${poolId}.`,
  SERIES_NOT_FOUND: (facts: MissingSeries, { instant }: RejectionWords) => missingSeriesText(facts, instant),
  SERIES_EXPIRED: ({ expiry }: { seriesKey: Hex; expiry: number }, { instant }: RejectionWords) =>
    `The series expired at ${instant(expiry)}.`,
  CAPACITY_EXCEEDED: ({ notional, capacity }: { notional: bigint; capacity: bigint }, { amount }: RejectionWords) =>
    `The notional ${amount(notional)} is above the series' remaining capacity ${amount(capacity)}.`,
  INSUFFICIENT_BALANCE: ({ balance, needed }: { balance: bigint; needed: bigint }, { amount }: RejectionWords) =>
    `The maker holds ${amount(balance)} of the loan token, the quote needs ${amount(needed)}.`,
  INSUFFICIENT_ALLOWANCE: ({ allowance, needed }: { allowance: bigint; needed: bigint }, { amount }: RejectionWords) =>
    `The maker allows the quote market ${amount(allowance)} of the loan token, the quote needs ${amount(needed)}.`,
  NOT_EXECUTABLE: ({ reason }: { reason: string }) => `The contract would not execute this quote: ${reason}.`,
  QUOTE_PRIVATE: (_: { hash: Hex }) =>
    "The quote was given to an auction and is its borrower's; to publish the same terms, sign them with another salt.",
  MAKER_SUSPENDED: ({ maker, retryAfterSeconds }: { maker: Address; retryAfterSeconds: number }) =>
    `The contract ${maker} did not answer in the gas and time that a signature check may take; try again in ${retryAfterSeconds} seconds.`,
  TAKER_PROOF_INVALID: ({ reason }: { reason: 'no_taker' | 'timestamp_out_of_window' | 'bad_signature' }) =>
    takerProofText(reason),
  UNAUTHENTICATED: ({ reason }: { reason: ReadAuthRefusal }) => readAuthText(reason),
  ALREADY_QUOTED: ({ hash }: { hash: Hex | null }) =>
    hash === null
      ? 'Your one quote for this RFQ is being judged, or your attempts are used up.'
      : `You have quoted on this RFQ already (${hash}).`,
  OUTCOME_UNKNOWN: ({ hash }: { hash: Hex }) =>
    `Whether the quote ${hash} was stored is not known yet; send the same quote again, and no other.`,
  IDEMPOTENCY_KEY_REUSED: (_: NoFacts) =>
    'The Idempotency-Key belongs to another request; use a new one for each request.',
  TOO_MANY_OPEN: ({ open, limit }: { open: number; limit: number }) =>
    `${open} are open already, the limit is ${limit}.`,
  RATE_LIMITED: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
    `Too much came from your address in the last minute; ask again in ${retryAfterSeconds} seconds.`,
  RFQ_NOT_FOUND: ({ rfqId }: { rfqId: string }) => `There is no RFQ ${rfqId}.`,
  AUCTION_CLOSED: (_: { closedAt: number }) => 'The auction has closed.',
  OVERLOADED: (_: NoFacts) => 'The service is at its limit or restarting; try again in a moment.',
  CHAIN_UNAVAILABLE: (_: NoFacts) =>
    'The chain could not be read, so nothing could be checked and nothing was stored; try again.',
  STORAGE_UNAVAILABLE: (_: NoFacts) => 'The database did not answer, so nothing was stored; try again.',
} satisfies { [Refusal in Code]?: unknown }

type NoFacts = Record<never, never>
type Deadline = { deadline: bigint; limit: bigint }
/** `seriesKey` is null when only an expiry was asked for; `available`, the expiries of the pool's active series, when they were not read. */
type MissingSeries = { poolId: Hex; seriesKey: Hex | null; available: number[] | null }

type Facts = { [Refusal in keyof typeof sentences]: Parameters<(typeof sentences)[Refusal]>[0] }

/**
 * An expected refusal, as a value: a code and the facts that explain it. Amounts are raw units of the pool's loan token,
 * times Unix seconds, `closedAt` Unix milliseconds.
 */
export type Rejection = { [Refusal in keyof Facts]: { code: Refusal } & Facts[Refusal] }[keyof Facts]

/**
 * One sentence for people: what is wrong, and what would be right.
 *
 * @param words how amounts and times are written; by default as they are, raw units and Unix seconds.
 */
export function describeRejection(rejection: Rejection, words: RejectionWords = rawWords): string {
  const sentence = sentences[rejection.code] as (facts: Rejection, words: RejectionWords) => string
  return sentence(rejection, words)
}

function missingSeriesText(
  { poolId, seriesKey, available }: MissingSeries,
  instant: RejectionWords['instant'],
): string {
  const missing = seriesKey === null ? 'no active series that late' : `no series ${seriesKey}`
  if (available === null) return `The pool ${poolId} has ${missing}.`
  return available.length > 0
    ? `The pool ${poolId} has ${missing}; its active expiries are ${available.map(instant).join(', ')}.`
    : `The pool ${poolId} has no active series.`
}

function takerProofText(reason: 'no_taker' | 'timestamp_out_of_window' | 'bad_signature'): string {
  switch (reason) {
    case 'no_taker':
      return 'A takerProof proves the account in taker, which is missing.'
    case 'timestamp_out_of_window':
      return 'The takerProof is older than 24 hours, or from the future.'
    case 'bad_signature':
      return "The takerProof's signature is not the taker's for this service."
  }
}

function signatureText(cause: SignatureCause | null): string {
  switch (cause) {
    case 'not_65_bytes':
      return 'The signature must be exactly 65 bytes (r, s, v); ERC-6492 wrappers are not taken.'
    case 'v_not_27_or_28':
      return "The signature's last byte must be 27 or 28."
    case 'high_s':
      return "The signature's s is in the upper half of the curve order; use its low-s form (EIP-2)."
    case 'wrong_chain':
      return 'The quote was signed for another chain id.'
    case 'wrong_contract':
      return 'The quote was signed for another contract; the verifying contract must be the quote market.'
    case 'stale_nonce':
      return 'The quote was signed with another nonce than the one it carries.'
    default:
      return "The signature is not the maker's."
  }
}

/** The facts of a rejection as JSON: bigint as decimal strings, without the code. */
export function rejectionDetails(rejection: Rejection): Record<string, string | number | number[] | null> {
  const { code: _, ...facts } = rejection
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
  )
}
