import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'

const mostKnownAddresses = 8_192
const knownAddresses = /* @__PURE__ */ new Map<string, Address>()

/**
 * Parses an address: all lower-case, or with a right EIP-55 checksum. Results are remembered: most quotes come from a few
 * makers, and a checksum costs a hash.
 *
 * @returns the address with its checksum, or null when the text is anything else.
 */
export function parseAddress(text: string): Address | null {
  const known = knownAddresses.get(text)
  if (known !== undefined) return known
  if (!isAddress(text)) return null
  const address = getAddress(text)
  if (knownAddresses.size >= mostKnownAddresses) knownAddresses.clear()
  knownAddresses.set(text, address)
  return address
}

/**
 * Parses exactly 32 bytes of hex (`0x` and 64 digits).
 *
 * @returns the bytes in lower case, or null when the text is anything else.
 */
export function parseBytes32(text: string): Hex | null {
  return text.length === 66 && isHex(text) ? (text.toLowerCase() as Hex) : null
}

/**
 * Parses a signature's bytes: `0x` and up to 1024 whole bytes of hex. Whether they are a signature is judged later.
 *
 * @returns the bytes in lower case, or null when the text is anything else.
 */
export function parseSignature(text: string): Hex | null {
  return text.length % 2 === 0 && text.length <= 2050 && isHex(text) ? (text.toLowerCase() as Hex) : null
}
