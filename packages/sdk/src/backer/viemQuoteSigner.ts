import { hashQuote, type QuoteDomain, type QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Signs the quotes of one maker for one market. It does not expose its key. */
export type QuoteSigner = {
  address: Address
  /**
   * Signs a quote (EIP-712): 65 bytes with v 27 or 28, deterministic (RFC 6979).
   *
   * @throws {InvalidInputError} if a field does not fit its type.
   */
  signQuote(quote: QuoteMarketQuote): Hex | Promise<Hex>
}

/**
 * Creates a signer on viem, for browsers, where WebAssembly may be forbidden. In Node, `imports` of this package
 * selects the signer of `@firmquote/core/verifier`, whose signatures are identical.
 *
 * @param key 32 bytes of hex, in the range of secp256k1.
 */
export async function createQuoteSigner(key: Hex, domain: QuoteDomain): Promise<QuoteSigner> {
  const { address, sign } = privateKeyToAccount(key)
  return { address, signQuote: async (quote) => sign({ hash: hashQuote(quote, domain) }) }
}
