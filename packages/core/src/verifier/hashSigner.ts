import type { Address, Hex } from 'viem'
import { getAddress } from 'viem/utils'
import { InvalidInputError } from '../errors.ts'
import { bytesToHex, writeHex } from '../values/hexBytes.ts'
import { loadWasmEngine } from './wasmEngine.ts'

/** Signs 32-byte hashes with one key. Does not expose the key. */
export type HashSigner = {
  address: Address
  /**
   * Signs a hash. The signature is 65 bytes long and its v is 27 or 28. The signature is deterministic (RFC 6979) and
   * identical to viem's.
   */
  signHash(hash: Uint8Array): Hex
}

/**
 * Creates a signer whose method is synchronous.
 *
 * @param key 32 bytes as hex.
 * @throws {InvalidInputError} with path `key` if the key is malformed or outside the curve's range. The error does not
 * contain the key.
 */
export async function createHashSigner(key: Hex): Promise<HashSigner> {
  const engine = await loadWasmEngine()
  const privateKey = new Uint8Array(32)
  writeHex(privateKey, 0, key, 32, 'key')
  const signature = new Uint8Array(65)

  return {
    address: addressOf(),
    signHash(hash) {
      const signed = engine.sign(hash, privateKey, { prehash: false, extraEntropy: false })
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
