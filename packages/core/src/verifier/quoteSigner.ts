import type { Address, Hex } from 'viem'
import { getAddress } from 'viem/utils'
import { InvalidInputError } from '../errors.ts'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { createQuoteDigest } from '../quote/quoteDigest.ts'
import type { QuoteDomain } from '../quote/typedData.ts'
import { bytesToHex, writeHex } from '../values/hexBytes.ts'
import { loadWasmEngine } from './wasmEngine.ts'

/** Signs the quotes of one maker for one market. Nothing in it shows its key. */
export type QuoteSigner = {
  address: Address
  /**
   * The EIP-712 signature over a quote, 65 bytes with v 27 or 28: deterministic (RFC 6979), the same bytes that viem gives.
   * Whether the quote's maker is this signer is the caller's to check.
   *
   * @throws {InvalidInputError} when a field does not fit its type.
   */
  signQuote(quote: QuoteMarketQuote): Hex
}

/**
 * Creates a signer, synchronous once it is there.
 *
 * @param key 32 bytes of hex.
 * @throws {InvalidInputError} with path `key` when it is none, or out of the curve's range; it is not repeated.
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
      // The curve gives the recovery id first.
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
