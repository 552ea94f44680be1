import { Buffer } from 'node:buffer'
import { type Hex, hexToBytes } from 'viem'

/**
 * Searches for a private key and a password in every encoding: text, hex in any case and with spaces, decimal, base64,
 * byte lists and raw bytes. Finding half of the key counts as a match.
 *
 * @returns the encoding found, or null.
 */
export function findSecret(content: Buffer | string, { privateKey, password }: { privateKey: Hex; password: string }) {
  const bytes = Buffer.from(content)
  const text = bytes.toString('latin1')
  const squeezed = text.toLowerCase().replaceAll(/\s+/g, '')
  const key = Buffer.from(hexToBytes(privateKey))
  const halves = [key.subarray(0, 16), key.subarray(16)]
  const secret = Buffer.from(password)
  const has: Record<string, boolean> = {
    'the key in hex': halves.some((half) => squeezed.includes(half.toString('hex'))),
    'the key in decimal': squeezed.includes(BigInt(privateKey).toString()),
    'the key in base64': inBase64(text, key),
    'the key as a list of bytes': halves.some((half) => squeezed.includes([...half].join(','))),
    'the key in raw bytes': halves.some((half) => bytes.includes(half)),
    'the password': bytes.includes(secret) || text.includes(JSON.stringify(password).slice(1, -1)),
    'the password in hex': squeezed.includes(secret.toString('hex')),
    'the password in base64': inBase64(text, secret),
    'the password as a list of bytes': squeezed.includes([...secret].join(',')),
  }
  return Object.keys(has).find((name) => has[name]) ?? null
}

function inBase64(text: string, secret: Buffer): boolean {
  const encodings = ['base64', 'base64url'] as const
  return encodings.some((encoding) => text.includes(secret.toString(encoding).replaceAll('=', '')))
}
