import { hashQuote, type QuoteDomain, type QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Signs one maker's quotes for one market. Does not expose the key. */
export type QuoteSigner = {
  address: Address
  /**
   * Signs a quote (EIP-712). The signature is 65 bytes long, its v is 27 or 28, and it is deterministic (RFC 6979).
   *
   * @throws {InvalidInputError} if a field does not fit its type.
   */
  signQuote(quote: QuoteMarketQuote): Hex | Promise<Hex>
}

/**
 * Creates a viem-based signer for browsers, where WebAssembly may be forbidden. In Node, this package's `imports` field
 * selects the signer from `@firmquote/core/verifier`, which produces identical signatures.
 *
 * @param key 32 bytes as hex, a valid secp256k1 key.
 */
export async function createQuoteSigner(key: Hex, domain: QuoteDomain): Promise<QuoteSigner> {
  const { address, sign } = privateKeyToAccount(key)
  return { address, signQuote: async (quote) => sign({ hash: hashQuote(quote, domain) }) }
}
