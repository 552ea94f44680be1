import type { Address } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'

/** Identifies a quote market. Every signature covers it (EIP-712). */
export type QuoteDomain = {
  chainId: number
  /** The address of the `QuoteMarket` contract. */
  quoteMarket: Address
}

/**
 * A quote's fields, as in its EIP-712 type and in the ABI. The fields are a separate constant, so that bundlers can
 * drop them.
 */
export const quoteComponents = [
  { name: 'maker', type: 'address' },
  { name: 'taker', type: 'address' },
  { name: 'poolId', type: 'bytes32' },
  { name: 'seriesKey', type: 'bytes32' },
  { name: 'notional', type: 'uint256' },
  { name: 'vrtAmount', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
  { name: 'salt', type: 'bytes32' },
] as const

/** The EIP-712 types of a quote, in the form that wallets accept. */
export const quoteTypes = { Quote: quoteComponents } as const

/** The EIP-712 domain of a quote market, in the form that wallets accept. */
export function quoteEip712Domain(domain: QuoteDomain) {
  return {
    name: 'QuoteMarket',
    version: '1',
    chainId: domain.chainId,
    verifyingContract: domain.quoteMarket,
  } as const
}

/** The arguments of `signTypedData` for a quote (EIP-712). */
export function quoteTypedData(quote: QuoteMarketQuote, domain: QuoteDomain) {
  return { domain: quoteEip712Domain(domain), types: quoteTypes, primaryType: 'Quote', message: quote } as const
}
