import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex } from '@noble/hashes/utils'
import type { Address } from './deployment.ts'

/**
 * Applies the EIP-55 checksum to an address.
 *
 * @param address - 0x and 40 hex digits in any case. The caller must have validated it.
 */
export function checksumAddress(address: string): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(digits))
  const cased = Array.from(digits, (digit, i) =>
    Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
