import { ProofError } from './proofError.ts'

/** Concatenates byte arrays. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Whether two byte arrays are equal. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** Encodes a text as UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Encodes bytes in standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Decodes standard base64. Only the encoding that {@link toBase64} produces is accepted.
 *
 * @throws {ProofError} for any other text.
 */
export function fromBase64(text: string, what: string): Uint8Array {
  let decoded = ''
  try {
    decoded = atob(text)
  } catch {}
  if (btoa(decoded) !== text) throw new ProofError(`${what} is not base64.`)
  return Uint8Array.from(decoded, (letter) => letter.charCodeAt(0))
}

/**
 * Parses a decimal number without leading zeros, up to 2^53 - 1.
 *
 * @throws {ProofError} for any other text.
 */
export function parseDecimal(text: string, what: string): number {
  const value = Number(text)
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(value)) {
    throw new ProofError(`${what} is not a decimal number.`)
  }
  return value
}
