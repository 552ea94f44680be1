import crypto from 'node:crypto'

/** Hashes the concatenation of byte arrays with SHA-256. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const data = Buffer.concat(parts)
  // A result as text, of one character per byte, costs a third of one as a buffer. Node 20.0 to 20.11 lack `hash`.
  const text = crypto.hash?.('sha256', data, 'binary') ?? crypto.createHash('sha256').update(data).digest('binary')
  const hash = new Uint8Array(32)
  for (let at = 0; at < hash.length; at += 1) hash[at] = text.charCodeAt(at)
  return hash
}

/** Decodes hex digits, without a prefix. */
export function fromHex(digits: string): Uint8Array {
  // A copy, because the buffer is a part of a larger one, which a message to another thread would copy whole.
  return new Uint8Array(Buffer.from(digits, 'hex'))
}
