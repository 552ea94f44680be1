// Named exports, so that the build drops the rest of these modules, such as mnemonics.
export { engine as createHashEngine } from 'ox/wasm/Hash'
export { engine as createCurveEngine } from 'ox/wasm/Secp256k1'
