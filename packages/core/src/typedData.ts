import { type Address, type Hex, hexToBytes, keccak256, numberToHex, stringToHex } from 'viem'
import { InvalidInputError } from './errors.ts'
import type { QuoteMarketQuote } from './generated/wireTypes.ts'
import { maxUint256 } from './uint256.ts'

/** What tells one quote market from another: part of every signature (EIP-712). */
export type QuoteDomain = {
  chainId: number
  /** The address of the `QuoteMarket` contract. */
  quoteMarket: Address
}

/** The EIP-712 types of a quote, in the form that wallets take. */
export const quoteTypes = {
  Quote: [
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'poolId', type: 'bytes32' },
    { name: 'seriesKey', type: 'bytes32' },
    { name: 'notional', type: 'uint256' },
    { name: 'vrtAmount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** The EIP-712 domain of a quote market, in the form that wallets take. */
export function quoteEip712Domain(domain: QuoteDomain) {
  return {
    name: 'QuoteMarket',
    version: '1',
    chainId: domain.chainId,
    verifyingContract: domain.quoteMarket,
  } as const
}

/** Everything that `signTypedData` needs to sign a quote (EIP-712). */
export function quoteTypedData(quote: QuoteMarketQuote, domain: QuoteDomain) {
  return { domain: quoteEip712Domain(domain), types: quoteTypes, primaryType: 'Quote', message: quote } as const
}

/**
 * The EIP-712 digest of a quote: what its maker signs, and the key that names it everywhere (`QuoteMarket.hashQuote`).
 *
 * The encoder is written for this one type. It checks that every field has the width it must have, since a short or
 * long one would silently shift its neighbours.
 *
 * @throws {InvalidInputError} when a field does not fit its type.
 */
export function hashQuote(quote: QuoteMarketQuote, domain: QuoteDomain): Hex {
  const struct = keccak256(
    `${quoteTypeHash()}${addressWord(quote.maker, 'maker')}${addressWord(quote.taker, 'taker')}${bytes32Word(quote.poolId, 'poolId')}${bytes32Word(quote.seriesKey, 'seriesKey')}${uintWord(quote.notional, 'notional')}${uintWord(quote.vrtAmount, 'vrtAmount')}${uintWord(quote.nonce, 'nonce')}${uintWord(quote.deadline, 'deadline')}${bytes32Word(quote.salt, 'salt')}`,
  )
  return keccak256(hexToBytes(`0x1901${domainSeparator(domain).slice(2)}${struct.slice(2)}`))
}

const typeText =
  'Quote(address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount,uint256 nonce,uint256 deadline,bytes32 salt)'
const domainTypeText = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

let cachedTypeHash: Hex | undefined
/** The hash of the quote's EIP-712 type. */
export function quoteTypeHash(): Hex {
  cachedTypeHash ??= keccak256(stringToHex(typeText))
  return cachedTypeHash
}

// A process works for one market, a test for a handful: the last one is all that is worth keeping.
let lastDomain: { chainId: number; quoteMarket: Address; separator: Hex } | undefined
/** The EIP-712 separator of a market. */
export function domainSeparator({ chainId, quoteMarket }: QuoteDomain): Hex {
  if (lastDomain?.chainId === chainId && lastDomain.quoteMarket === quoteMarket) return lastDomain.separator
  const separator = keccak256(
    `0x${keccak256(stringToHex(domainTypeText)).slice(2)}${keccak256(stringToHex('QuoteMarket')).slice(2)}${keccak256(stringToHex('1')).slice(2)}${numberToHex(chainId, { size: 32 }).slice(2)}${addressWord(quoteMarket, 'quoteMarket')}`,
  )
  lastDomain = { chainId, quoteMarket, separator }
  return separator
}

function addressWord(value: Address, path: string): string {
  return '0'.repeat(24) + hexDigits(value, 40, path)
}

function bytes32Word(value: Hex, path: string): string {
  return hexDigits(value, 64, path)
}

function hexDigits(value: Hex, digits: number, path: string): string {
  if (value.length !== digits + 2 || !value.startsWith('0x')) {
    throw new InvalidInputError(`must be ${digits / 2} bytes of hex.`, { path })
  }
  return value.slice(2)
}

function uintWord(value: bigint, path: string): string {
  if (typeof value !== 'bigint' || value < 0n || value > maxUint256) {
    throw new InvalidInputError('must be a bigint from 0 to 2^256 - 1.', { path })
  }
  return value.toString(16).padStart(64, '0')
}
