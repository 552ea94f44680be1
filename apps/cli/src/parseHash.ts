import type { Hex } from 'viem'
import { UsageError } from './errors.ts'

/**
 * Parses the hash of a quote.
 *
 * @throws {UsageError} if it is invalid. The message does not show it, because it might be a key.
 */
export function parseHash(text: string): Hex {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Hex
  throw new UsageError('The hash of a quote must be 0x and 64 hex digits.')
}
