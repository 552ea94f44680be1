import { describe, expect, test } from '@jest/globals'
import { Engine } from 'ox'
import { vectorDomain } from '../../test/quoteArbitrary.ts'
import { createQuoteSigner } from './quoteSigner.ts'
import { createQuoteVerifier } from './quoteVerifier.ts'
import { loadWasmEngine } from './wasmEngine.ts'

describe('loadWasmEngine', () => {
  test('default: one limit for all', async () => {
    const [first, second] = await Promise.all([loadWasmEngine(), loadWasmEngine()])
    expect(first).toBe(second)
    expect(await loadWasmEngine()).toBe(first)
  })

  test('behavior: other users of ox keep their engine', async () => {
    const before = { ...Engine.get() }
    const verifier = await createQuoteVerifier(vectorDomain)
    await createQuoteSigner(`0x${'01'.repeat(32)}`, vectorDomain)
    expect(verifier).toBeDefined()
    expect({ ...Engine.get() }).toEqual(before)
  })
})
