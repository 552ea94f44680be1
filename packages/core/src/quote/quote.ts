import type { Hex } from 'viem'
import { InvalidInputError } from '../errors.ts'
import type { QuoteMarketQuote, SignedQuote } from '../generated/wireTypes.ts'
import { checkedUint256 } from '../values/checkedUint256.ts'
import { guardInput } from '../values/guardInput.ts'
import { parseUint256 } from '../values/uint256.ts'

/** The wire form of {@link QuoteMarketQuote}, with integers as decimal strings. */
export type SerializedQuote = {
  [K in keyof QuoteMarketQuote]: QuoteMarketQuote[K] extends bigint ? string : QuoteMarketQuote[K]
}

/** The wire form of {@link SignedQuote}: a flat object of nine fields and `signature`. */
export type SerializedSignedQuote = SerializedQuote & { signature: Hex }

/** The names of a quote's fields, in the order of its EIP-712 type. */
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

/**
 * Serializes a quote. Integers become decimal strings, and properties other than the nine fields are dropped. Like
 * {@link deserializeQuote}, it validates only the integers.
 *
 * @throws {InvalidInputError} if an integer is not a bigint from 0 to 2^256 - 1.
 * @example
 * ```ts
 * serializeQuote({ ...quote, notional: 250_000_000_000n }).notional // '250000000000'
 * ```
 */
export function serializeQuote(quote: QuoteMarketQuote): SerializedQuote {
  return guardInput('quote', () => ({
    maker: quote.maker,
    taker: quote.taker,
    poolId: quote.poolId,
    seriesKey: quote.seriesKey,
    notional: checkedUint256(quote.notional, 'notional').toString(),
    vrtAmount: checkedUint256(quote.vrtAmount, 'vrtAmount').toString(),
    nonce: checkedUint256(quote.nonce, 'nonce').toString(),
    deadline: checkedUint256(quote.deadline, 'deadline').toString(),
    salt: quote.salt,
  }))
}

/**
 * Converts a serialized quote's integers to bigints. Validates only the integers. Decode untrusted input with the
 * shapes from `@firmquote/core/wire`.
 *
 * @throws {InvalidInputError} if an integer is not a plain decimal uint256.
 * @example
 * ```ts
 * const text = JSON.stringify(serializeQuote({ ...quote, notional: 250_000_000_000n }))
 * deserializeQuote(JSON.parse(text)).notional // 250_000_000_000n
 * ```
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

/**
 * Like {@link serializeQuote}, but keeps the signature.
 *
 * @throws {InvalidInputError} if an integer is not a bigint from 0 to 2^256 - 1.
 * @example
 * ```ts
 * await client.submitQuoteMarketQuote(serializeSignedQuote(signed))
 * ```
 */
export function serializeSignedQuote(signed: SignedQuote): SerializedSignedQuote {
  return guardInput('signed', () => ({ ...serializeQuote(signed), signature: signed.signature }))
}

/**
 * Like {@link deserializeQuote}, but keeps the signature.
 *
 * @throws {InvalidInputError} if an integer is not a plain decimal uint256.
 * @example
 * ```ts
 * const signed = deserializeSignedQuote(await signer.signQuoteMarketQuote(quote))
 * signed.deadline === quote.deadline // true
 * ```
 */
export function deserializeSignedQuote(signed: SerializedSignedQuote): SignedQuote {
  return guardInput('signed', () => ({ ...deserializeQuote(signed), signature: signed.signature }))
}

function integer(quote: SerializedQuote, path: 'notional' | 'vrtAmount' | 'nonce' | 'deadline'): bigint {
  const value = parseUint256(quote[path])
  if (value === null) throw new InvalidInputError('must be a decimal string of a uint256.', { path })
  return value
}
