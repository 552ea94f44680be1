import type { Address, Hex } from 'viem'
import { InvalidInputError } from './errors.ts'
import { guardInput } from './guardInput.ts'
import { parseUint256 } from './uint256.ts'

/**
 * A maker's offer to take over the floating interest of a variable-rate debt until its series expires, as
 * `QuoteMarket.Quote` has it (specification, section 2).
 */
export type QuoteMarketQuote = {
  /** Who sells the fixed rate; must be the signing account. */
  maker: Address
  /** Who may take it; the zero address lets anyone. */
  taker: Address
  /** 32 bytes. */
  poolId: Hex
  /** 32 bytes. */
  seriesKey: Hex
  /** The debt that is fixed, in raw units of the pool's loan token. */
  notional: bigint
  /** What the taker pays for the whole remaining term, in raw units of the pool's loan token. */
  vrtAmount: bigint
  /** The maker's current nonce on the quote market. */
  nonce: bigint
  /** Last Unix second at which the quote can be taken. */
  deadline: bigint
  /** 32 bytes that make otherwise equal quotes different. */
  salt: Hex
}

/** A quote and the maker's EIP-712 signature over it (65 bytes). */
export type SignedQuote = QuoteMarketQuote & { signature: Hex }

/** The wire form of {@link QuoteMarketQuote}: every integer is a decimal string. */
export type SerializedQuote = {
  [K in keyof QuoteMarketQuote]: QuoteMarketQuote[K] extends bigint ? string : QuoteMarketQuote[K]
}

/** The wire form of {@link SignedQuote}: one flat object, nine fields and `signature`. */
export type SerializedSignedQuote = SerializedQuote & { signature: Hex }

/** The names of a quote's fields in the order of its EIP-712 type. */
export const quoteFields = [
  'maker',
  'taker',
  'poolId',
  'seriesKey',
  'notional',
  'vrtAmount',
  'nonce',
  'deadline',
  'salt',
] as const satisfies readonly (keyof QuoteMarketQuote)[]

/** Turns every integer of a quote into a decimal string (specification, section 2). Other properties are left behind. */
export function serializeQuote(quote: QuoteMarketQuote): SerializedQuote {
  return guardInput('quote', () => ({
    maker: quote.maker,
    taker: quote.taker,
    poolId: quote.poolId,
    seriesKey: quote.seriesKey,
    notional: quote.notional.toString(),
    vrtAmount: quote.vrtAmount.toString(),
    nonce: quote.nonce.toString(),
    deadline: quote.deadline.toString(),
    salt: quote.salt,
  }))
}

/**
 * Restores the integers of a serialized quote as bigint. It checks the integers only; what comes from a stranger goes
 * through the shapes of `@firmquote/core/wire`.
 *
 * @throws {InvalidInputError} when an integer is not a plain decimal uint256.
 */
export function deserializeQuote(quote: SerializedQuote): QuoteMarketQuote {
  return guardInput('quote', () => ({
    maker: quote.maker,
    taker: quote.taker,
    poolId: quote.poolId,
    seriesKey: quote.seriesKey,
    notional: integer(quote, 'notional'),
    vrtAmount: integer(quote, 'vrtAmount'),
    nonce: integer(quote, 'nonce'),
    deadline: integer(quote, 'deadline'),
    salt: quote.salt,
  }))
}

/** {@link serializeQuote} with the signature kept. */
export function serializeSignedQuote(signed: SignedQuote): SerializedSignedQuote {
  return guardInput('signed', () => ({ ...serializeQuote(signed), signature: signed.signature }))
}

/**
 * {@link deserializeQuote} with the signature kept.
 *
 * @throws {InvalidInputError} when an integer is not a plain decimal uint256.
 */
export function deserializeSignedQuote(signed: SerializedSignedQuote): SignedQuote {
  return guardInput('signed', () => ({ ...deserializeQuote(signed), signature: signed.signature }))
}

function integer(quote: SerializedQuote, path: 'notional' | 'vrtAmount' | 'nonce' | 'deadline'): bigint {
  const value = parseUint256(quote[path])
  if (value === null) throw new InvalidInputError('must be a decimal string of a uint256.', { path })
  return value
}
