import { type Hex, hexToBigInt, numberToHex, slice } from 'viem'
import type { SignatureFault } from '../src/quote/signatureCause.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Returns the same key's other valid signature of the digest, with a high s and the other v. */
function malleate(signature: Hex): Hex {
  const s = numberToHex(curveOrder - hexToBigInt(slice(signature, 32, 64)), { size: 32 })
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${slice(signature, 0, 32)}${s.slice(2)}${v}`
}

/** Mutations of a valid signature, with the fault that every recovery must report. */
export const signatureFaults: [string, (signature: Hex) => Hex, SignatureFault][] = [
  ['64 bytes (EIP-2098)', (s) => slice(s, 0, 64), 'not_65_bytes'],
  ['66 bytes', (s) => `${s}00`, 'not_65_bytes'],
  ['nothing', () => '0x', 'not_65_bytes'],
  ['an ERC-6492 wrapper', (s) => `${s}${'6492'.repeat(16)}`, 'not_65_bytes'],
  ['no hex', (s) => `${slice(s, 0, 64)}1g` as Hex, 'not_65_bytes'],
  ['no 0x', (s) => `1b${s.slice(2)}` as Hex, 'not_65_bytes'],
  ['v of 0', (s) => `${slice(s, 0, 64)}00`, 'v_not_27_or_28'],
  ['v of 1', (s) => `${slice(s, 0, 64)}01`, 'v_not_27_or_28'],
  ['v of 29', (s) => `${slice(s, 0, 64)}1d`, 'v_not_27_or_28'],
  ['a high s', malleate, 'high_s'],
  ['r and s of zero', () => `0x${'00'.repeat(64)}1b`, 'unrecoverable'],
  ['r above the curve order', (s) => `0x${'ff'.repeat(32)}${slice(s, 32).slice(2)}`, 'unrecoverable'],
]
