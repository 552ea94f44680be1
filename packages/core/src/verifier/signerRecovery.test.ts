import { expect, test } from '@jest/globals'
import { hexToBytes } from 'viem'
import { createSignerRecovery } from './signerRecovery.ts'
import { loadWasmEngine } from './wasmEngine.ts'

const digest = new Uint8Array(32).fill(1)
// r is the generator's x coordinate, so that every s has a signer.
const r = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const signatureOf = (s: bigint) => hexToBytes(`0x${r}${s.toString(16).padStart(64, '0')}1b`)

test.each([
  ['half of the order', halfOrder, null],
  ['one less', halfOrder - 1n, null],
  ['one more', halfOrder + 1n, 'high_s'],
  ['more in the first byte, less in all others', 0x80n << 248n, 'high_s'],
])('behavior: an s of %s', async (_name, s, fault) => {
  const recovered = createSignerRecovery(await loadWasmEngine())(digest, signatureOf(s))
  if (fault === null) expect(recovered).toHaveLength(20)
  else expect(recovered).toBe(fault)
})

test.each([64, 66])('error: %i bytes', async (length) => {
  const signature = new Uint8Array(length)
  signature.set(signatureOf(1n).subarray(0, length))
  expect(createSignerRecovery(await loadWasmEngine())(digest, signature)).toBe('not_65_bytes')
})
