import type { Hex } from 'viem'
import { UsageError } from './errors.ts'

/**
 * Parses a quote's hash.
 *
 * @throws {UsageError} if it is invalid. The message does not contain it, because it might be a key.
 */
export function parseHash(text: string): Hex {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Hex
  throw new UsageError('A quote hash must be 0x followed by 64 hex digits.')
}
