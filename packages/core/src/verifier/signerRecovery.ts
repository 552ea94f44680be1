import type { SignatureFault } from '../quote/signatureCause.ts'
import type { WasmEngine } from './wasmEngine.ts'

const signatureBytes = 65

/** Half of secp256k1's order, big-endian: the largest s that the contract accepts (EIP-2). */
const halfCurveOrder = Uint8Array.from(
  '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'.match(/../g) ?? [],
  (pair) => Number.parseInt(pair, 16),
)

/**
 * Creates the contract's strict ecrecover: exactly 65 bytes, v 27 or 28, s in the lower half. The function returns the
 * signer's 20 bytes, or the reason that none was recovered.
 */
export function createSignerRecovery({ keccak256, recoverPublicKey }: WasmEngine) {
  const recovered = new Uint8Array(signatureBytes)

  return (digest: Uint8Array, signature: Uint8Array): Uint8Array | SignatureFault => {
    if (signature.length !== signatureBytes) return 'not_65_bytes'
    const v = signature[64]
    if (v !== 27 && v !== 28) return 'v_not_27_or_28'
    if (isHighS(signature)) return 'high_s'
    // The curve library expects the recovery id first.
    recovered[0] = v - 27
    recovered.set(signature.subarray(0, 64), 1)
    let publicKey: Uint8Array
    try {
      publicKey = recoverPublicKey(recovered, digest)
    } catch {
      return 'unrecoverable'
    }
    return keccak256(publicKey.subarray(1)).subarray(12)
  }
}

function isHighS(signature: Uint8Array): boolean {
  for (let index = 0; index < 32; index += 1) {
    const difference = (signature[32 + index] as number) - (halfCurveOrder[index] as number)
    if (difference !== 0) return difference > 0
  }
  return false
}
