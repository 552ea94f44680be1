import type { Address } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { guardInput } from '../values/guardInput.ts'

/** Identifies a quote market. Every signature covers it (EIP-712). */
export type QuoteDomain = {
  chainId: number
  /** The address of the `QuoteMarket` contract. */
  quoteMarket: Address
}

/** A quote's fields, as in its EIP-712 type and in the ABI. A separate constant, so that bundlers can drop it. */
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

/** A quote's EIP-712 types, as wallets accept them. */
export const quoteTypes = { Quote: quoteComponents } as const

/**
 * A quote market's EIP-712 domain, as wallets accept it.
 *
 * @example
 * ```ts
 * quoteEip712Domain({ chainId: 8453, quoteMarket: QUOTE_MARKET_ADDRESS }).name // 'QuoteMarket'
 * ```
 */
export function quoteEip712Domain(domain: QuoteDomain) {
  const { chainId, quoteMarket } = guardInput('domain', () => ({ ...domain }))
  return { name: 'QuoteMarket', version: '1', chainId, verifyingContract: quoteMarket } as const
}

/**
 * `signTypedData` arguments for a quote (EIP-712).
 *
 * @example
 * ```ts
 * const domain = { chainId, quoteMarket: client.getConfig().quoteMarketAddress }
 * const signature = await makerWallet.signTypedData(quoteTypedData(quote, domain))
 * ```
 */
export function quoteTypedData(quote: QuoteMarketQuote, domain: QuoteDomain) {
  return { domain: quoteEip712Domain(domain), types: quoteTypes, primaryType: 'Quote', message: quote } as const
}
