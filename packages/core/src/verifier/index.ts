export { createQuoteSigner, type QuoteSigner } from './quoteSigner.ts'
export { createQuoteVerifier, type QuoteVerifier } from './quoteVerifier.ts'
export { createSignerRecovery } from './signerRecovery.ts'
export { loadWasmEngine, type WasmEngine } from './wasmEngine.ts'
