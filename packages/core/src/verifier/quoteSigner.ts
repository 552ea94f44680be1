import type { Address, Hex } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { createQuoteDigest } from '../quote/quoteDigest.ts'
import type { QuoteDomain } from '../quote/typedData.ts'
import { createHashSigner } from './hashSigner.ts'
import { loadWasmEngine } from './wasmEngine.ts'

/** Signs one maker's quotes for one market. Does not expose the key. */
export type QuoteSigner = {
  address: Address
  /**
   * Signs a quote (EIP-712). The signature is 65 bytes long and its v is 27 or 28. The signature is deterministic (RFC
   * 6979) and identical to viem's. The caller must check that the quote's maker is this signer.
   *
   * @throws {InvalidInputError} if a field does not fit its type.
   */
  signQuote(quote: QuoteMarketQuote): Hex
}

/**
 * Creates a signer whose methods are synchronous.
 *
 * @param key 32 bytes as hex.
 * @throws {InvalidInputError} with path `key` if the key is malformed or outside the curve's range. The error does not
 * contain the key.
 */
export async function createQuoteSigner(key: Hex, domain: QuoteDomain): Promise<QuoteSigner> {
  const { address, signHash } = await createHashSigner(key)
  const digestOf = createQuoteDigest((await loadWasmEngine()).keccak256, domain)
  return { address, signQuote: (quote) => signHash(digestOf(quote)) }
}
