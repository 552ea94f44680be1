import { type Address, getAddress, isAddress } from 'viem'
import { UsageError } from './errors.ts'

/**
 * Parses an address typed by the user.
 *
 * @param what subject of the error message, such as `--taker`.
 * @returns the address with its EIP-55 checksum.
 * @throws {UsageError} if it is invalid, or its checksum is wrong.
 */
export function parseAddress(text: string, what: string): Address {
  if (isAddress(text)) return getAddress(text)
  throw new UsageError(`${what} must be an address, in lower case or with a valid checksum.`)
}
