import { sha256 as hash, hexToBytes } from 'viem'
import { concat } from './bytes.ts'

// Operations that a platform may have natively. Node uses `platform.node.ts`; see `imports` in package.json.

/** Hashes the concatenation of byte arrays with SHA-256. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hash(concat(...parts), 'bytes')
}

/** Decodes hex digits, without a prefix. */
export function fromHex(digits: string): Uint8Array {
  return hexToBytes(`0x${digits}`)
}
