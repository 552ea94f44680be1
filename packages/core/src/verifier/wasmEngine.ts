// Why: docs/decisions/0017-wasm-recovery.md

/** keccak-256 and secp256k1 in WASM, for the current thread. */
export type WasmEngine = {
  keccak256(bytes: Uint8Array): Uint8Array
  /** Recovers the uncompressed public key, 65 bytes. `signature` has the recovery id first. */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Uint8Array
  /** Returns 65 bytes, the recovery id first. */
  sign(digest: Uint8Array, privateKey: Uint8Array, options: { prehash: false; extraEntropy: false }): Uint8Array
  /** Returns the uncompressed public key, 65 bytes. */
  getPublicKey(privateKey: Uint8Array): Uint8Array
}

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
  // Only programs that sign or verify load the engines.
  const { createHashEngine, createCurveEngine } = await import('./oxEngines.ts')
  const [{ keccak256 }, { recoverPublicKey, sign, getPublicKey }] = await Promise.all([
    createHashEngine(),
    createCurveEngine(),
  ])
  return { keccak256, recoverPublicKey, sign, getPublicKey }
}
