// Why: docs/decisions/0017-wasm-recovery.md
import type { engine as hashEngine } from 'ox/wasm/Hash'
import type { engine as curveEngine } from 'ox/wasm/Secp256k1'

/** keccak-256 and secp256k1 in WASM, for the current thread. */
export type WasmEngine = Pick<hashEngine.ReturnType, 'keccak256'> &
  Pick<curveEngine.ReturnType, 'recoverPublicKey' | 'sign' | 'getPublicKey'>

let loading: Promise<WasmEngine> | undefined

/** Compiles the engine once, and not globally, so that other users of ox in this process keep theirs. */
export function loadWasmEngine(): Promise<WasmEngine> {
  loading ??= compile().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function compile(): Promise<WasmEngine> {
  // Imported dynamically, so that CommonJS programs on Node 20 can load this ESM-only package.
  const [hash, curve] = await Promise.all([import('ox/wasm/Hash'), import('ox/wasm/Secp256k1')])
  const [{ keccak256 }, { recoverPublicKey, sign, getPublicKey }] = await Promise.all([hash.engine(), curve.engine()])
  return { keccak256, recoverPublicKey, sign, getPublicKey }
}
