import type { Hex } from 'viem'
import { InvalidInputError } from '../errors.ts'

const invalid = 16
// Marked as pure, so that bundlers can drop unused tables.
const nibbles = /* @__PURE__ */ createNibbles()
const pairs = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function createNibbles(): Uint8Array {
  const values = new Uint8Array(128).fill(invalid)
  for (let value = 0; value < 16; value += 1) {
    const digit = value.toString(16)
    values[digit.charCodeAt(0)] = value
    values[digit.toUpperCase().charCodeAt(0)] = value
  }
  return values
}

/**
 * Writes hex of exactly `bytes` bytes at an offset.
 *
 * @throws {InvalidInputError} with the path if the hex is malformed.
 */
export function writeHex(target: Uint8Array, offset: number, hex: Hex, bytes: number, path: string): void {
  if (!tryWriteHex(target, offset, hex, bytes)) throw new InvalidInputError(`must be ${bytes} bytes of hex.`, { path })
}

/** Like {@link writeHex}, but returns false if the hex is malformed, which leaves the target's content undefined. */
export function tryWriteHex(target: Uint8Array, offset: number, hex: Hex, bytes: number): boolean {
  if (hex.length !== 2 * bytes + 2 || !hex.startsWith('0x')) return false
  // Check validity once at the end, not after every digit.
  let seen = 0
  for (let index = 0, at = 2; index < bytes; index += 1, at += 2) {
    const high = nibbles[hex.charCodeAt(at)] ?? invalid
    const low = nibbles[hex.charCodeAt(at + 1)] ?? invalid
    seen |= high | low
    target[offset + index] = (high << 4) | low
  }
  return seen < invalid
}

/** Converts bytes to lower-case hex. */
export function bytesToHex(bytes: Uint8Array): Hex {
  let digits = '0x'
  for (let index = 0; index < bytes.length; index += 1) digits += pairs[bytes[index] as number]
  return digits as Hex
}
