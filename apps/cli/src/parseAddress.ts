import { type Address, getAddress, isAddress } from 'viem'
import { UsageError } from './errors.ts'

/**
 * Parses a typed address.
 *
 * @param what begins the sentence: `--taker`.
 * @returns with its EIP-55 checksum.
 * @throws {UsageError} when it is none, or its checksum is wrong.
 */
export function parseAddress(text: string, what: string): Address {
  if (isAddress(text)) return getAddress(text)
  throw new UsageError(`${what} must be an address, in lower case or with a right checksum.`)
}
