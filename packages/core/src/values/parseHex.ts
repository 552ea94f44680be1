import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'

const maxKnownAddresses = 8_192
const knownAddresses = /* @__PURE__ */ new Map<string, Address>()

/**
 * Parses an address: all lower-case, or with a valid EIP-55 checksum. Results are cached, because most quotes come from
 * a few makers and computing a checksum requires a hash.
 *
 * @returns The checksummed address, or null if the text is malformed.
 */
export function parseAddress(text: string): Address | null {
  const known = knownAddresses.get(text)
  if (known !== undefined) return known
  if (!isAddress(text)) return null
  const address = getAddress(text)
  if (knownAddresses.size >= maxKnownAddresses) knownAddresses.clear()
  knownAddresses.set(text, address)
  return address
}

/**
 * Parses exactly 32 bytes as hex (`0x` and 64 digits).
 *
 * @returns The hex in lower case, or null if the text is malformed.
 */
export function parseBytes32(text: string): Hex | null {
  return text.length === 66 && isHex(text) ? (text.toLowerCase() as Hex) : null
}

/**
 * Parses a signature's bytes: `0x` and up to 1024 whole bytes as hex. Does not check whether the signature is valid.
 *
 * @returns The hex in lower case, or null if the text is malformed.
 */
export function parseSignature(text: string): Hex | null {
  return text.length % 2 === 0 && text.length <= 2050 && isHex(text) ? (text.toLowerCase() as Hex) : null
}
