import type { Address, Hex } from 'viem'
import type { SignatureCause } from './signature.ts'

/** Every code that the service answers with, over HTTP and over the socket alike. Stable. */
export const codes = [
  'INVALID_REQUEST',
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'RFQ_NOT_FOUND',
  'AUCTION_CLOSED',
  'ALREADY_QUOTED',
  'MAKER_MISMATCH',
  'TERMS_MISMATCH',
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
  'QUOTE_NOT_FOUND',
  'NOT_FOUND',
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
 * An expected refusal of a quote, as a value: a code and the facts that explain it. Amounts are raw units of the
 * pool's loan token, times Unix seconds.
 */
export type Rejection =
  | { code: 'MAKER_MISMATCH'; maker: Address; expected: Address }
  | { code: 'TERMS_MISMATCH'; field: 'poolId' | 'seriesKey' | 'taker'; value: Hex; expected: Hex }
  | { code: 'NOTIONAL_TOO_LARGE'; notional: bigint; limit: bigint }
  | { code: 'VRT_AMOUNT_TOO_LARGE'; vrtAmount: bigint; limit: bigint }
  | { code: 'DEADLINE_PASSED' | 'DEADLINE_TOO_SOON' | 'DEADLINE_TOO_FAR'; deadline: bigint; limit: bigint }
  | { code: 'BAD_SIGNATURE'; digest: Hex; recovered: Address | null; cause: SignatureCause | null }
  | { code: 'NONCE_MISMATCH'; nonce: bigint; makerNonce: bigint }
  | { code: 'QUOTE_CANCELLED' | 'QUOTE_FILLED'; hash: Hex }
  | { code: 'POOL_NOT_FOUND'; poolId: Hex }
  | { code: 'SERIES_NOT_FOUND'; poolId: Hex; seriesKey: Hex }
  | { code: 'SERIES_EXPIRED'; seriesKey: Hex; expiry: number }
  | { code: 'CAPACITY_EXCEEDED'; notional: bigint; capacity: bigint }
  | { code: 'INSUFFICIENT_BALANCE'; balance: bigint; needed: bigint }
  | { code: 'INSUFFICIENT_ALLOWANCE'; allowance: bigint; needed: bigint }
  | { code: 'NOT_EXECUTABLE'; reason: string }
  | { code: 'ALREADY_QUOTED'; hash: Hex | null }
  | { code: 'TOO_MANY_OPEN'; open: number; limit: number }
  | { code: 'RFQ_NOT_FOUND'; rfqId: string }
  | { code: 'AUCTION_CLOSED'; closedAt: number }
  | { code: 'OVERLOADED' }
  | { code: 'CHAIN_UNAVAILABLE' }
  | { code: 'STORAGE_UNAVAILABLE' }

/** One sentence for people: what is wrong, and what would be right. */
export function describeRejection(rejection: Rejection): string {
  switch (rejection.code) {
    case 'MAKER_MISMATCH':
      return `The quote's maker is ${rejection.maker}, but it was sent by ${rejection.expected}.`
    case 'TERMS_MISMATCH':
      return `The quote's ${rejection.field} is ${rejection.value}, the request asks for ${rejection.expected}.`
    case 'NOTIONAL_TOO_LARGE':
      return `The notional ${rejection.notional} is above the requested ${rejection.limit}.`
    case 'VRT_AMOUNT_TOO_LARGE':
      return `The vrtAmount ${rejection.vrtAmount} is above the request's maxVrtAmount ${rejection.limit}.`
    case 'DEADLINE_PASSED':
      return `The deadline ${rejection.deadline} has passed: it is ${rejection.limit} now.`
    case 'DEADLINE_TOO_SOON':
      return `The deadline ${rejection.deadline} is too soon to be taken safely; the earliest is ${rejection.limit}.`
    case 'DEADLINE_TOO_FAR':
      return `The deadline ${rejection.deadline} is too far away; the latest is ${rejection.limit}.`
    case 'BAD_SIGNATURE':
      return signatureText(rejection.cause)
    case 'NONCE_MISMATCH':
      return `The quote's nonce is ${rejection.nonce}, the maker's current nonce is ${rejection.makerNonce}.`
    case 'QUOTE_CANCELLED':
      return 'The maker has cancelled this quote on-chain.'
    case 'QUOTE_FILLED':
      return 'This quote has been taken already.'
    case 'POOL_NOT_FOUND':
      return `There is no pool ${rejection.poolId}.`
    case 'SERIES_NOT_FOUND':
      return `The pool ${rejection.poolId} has no series ${rejection.seriesKey}.`
    case 'SERIES_EXPIRED':
      return `The series expired at ${rejection.expiry}.`
    case 'CAPACITY_EXCEEDED':
      return `The notional ${rejection.notional} is above the series' remaining capacity ${rejection.capacity}.`
    case 'INSUFFICIENT_BALANCE':
      return `The maker holds ${rejection.balance} of the loan token, the quote needs ${rejection.needed}.`
    case 'INSUFFICIENT_ALLOWANCE':
      return `The maker allows the quote market ${rejection.allowance} of the loan token, the quote needs ${rejection.needed}.`
    case 'NOT_EXECUTABLE':
      return `The contract would not execute this quote: ${rejection.reason}.`
    case 'ALREADY_QUOTED':
      return rejection.hash === null
        ? 'Your one quote for this RFQ is being judged, or your attempts are used up.'
        : `You have quoted on this RFQ already (${rejection.hash}).`
    case 'TOO_MANY_OPEN':
      return `${rejection.open} are open already, the limit is ${rejection.limit}.`
    case 'RFQ_NOT_FOUND':
      return `There is no RFQ ${rejection.rfqId}.`
    case 'AUCTION_CLOSED':
      return 'The auction has closed.'
    case 'OVERLOADED':
      return 'The service is at its limit; try again shortly.'
    case 'CHAIN_UNAVAILABLE':
      return 'The chain could not be read, so the quote could not be checked. Nothing was stored; try again.'
    case 'STORAGE_UNAVAILABLE':
      return 'The quote could not be stored; try again.'
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
export function rejectionDetails(rejection: Rejection): Record<string, string | number | null> {
  const { code: _, ...facts } = rejection
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
  )
}
