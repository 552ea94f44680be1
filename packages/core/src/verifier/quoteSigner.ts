import type { Address, Hex } from 'viem'
import { getAddress } from 'viem/utils'
import { InvalidInputError } from '../errors.ts'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { createQuoteDigest } from '../quote/quoteDigest.ts'
import type { QuoteDomain } from '../quote/typedData.ts'
import { bytesToHex, writeHex } from '../values/hexBytes.ts'
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
  const engine = await loadWasmEngine()
  const digestOf = createQuoteDigest(engine.keccak256, domain)
  const privateKey = new Uint8Array(32)
  writeHex(privateKey, 0, key, 32, 'key')
  const signature = new Uint8Array(65)

  return {
    address: addressOf(),
    signQuote(quote) {
      const signed = engine.sign(digestOf(quote), privateKey, { prehash: false, extraEntropy: false })
      // The curve library puts the recovery id first.
      signature.set(signed.subarray(1))
      signature[64] = 27 + (signed[0] as number)
      return bytesToHex(signature)
    },
  }

  function addressOf(): Address {
    try {
      return getAddress(bytesToHex(engine.keccak256(engine.getPublicKey(privateKey).subarray(1)).subarray(12)))
    } catch {
      throw new InvalidInputError('must be in the range of secp256k1.', { path: 'key' })
    }
  }
}
