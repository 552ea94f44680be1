// Why: docs/decisions/0017-wasm-recovery.md
import type { engine as hashEngine } from 'ox/wasm/Hash'
import type { engine as curveEngine } from 'ox/wasm/Secp256k1'

/** keccak-256 and secp256k1 as WASM, for this thread. */
export type WasmEngine = Pick<hashEngine.ReturnType, 'keccak256'> &
  Pick<curveEngine.ReturnType, 'recoverPublicKey' | 'sign' | 'getPublicKey'>

let loading: Promise<WasmEngine> | undefined

/** Compiles the engine once. Nothing is installed globally: other code that uses ox in this process keeps the engine that it has. */
export function loadWasmEngine(): Promise<WasmEngine> {
  loading ??= compile().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function compile(): Promise<WasmEngine> {
  // Imported only now, so that a CommonJS program on Node 20 can load what ships as ESM alone.
  const [hash, curve] = await Promise.all([import('ox/wasm/Hash'), import('ox/wasm/Secp256k1')])
  const [{ keccak256 }, { recoverPublicKey, sign, getPublicKey }] = await Promise.all([hash.engine(), curve.engine()])
  return { keccak256, recoverPublicKey, sign, getPublicKey }
}
