import { type Hex, hexToBytes, keccak256 } from 'viem'

/** The log fields included in a block's bloom filter. */
type BloomEntry = { address: Hex; topics: readonly Hex[] }

const bloomBytes = 256

/** Whether a block with this bloom filter (`logsBloom`) may contain a log from the address with any of the topics. */
export function mayContain(bloom: Hex, address: Hex, topics: readonly Hex[]): boolean {
  const bits = hexToBytes(bloom)
  const has = (value: Hex) => bitsOf(value).every(([byte, mask]) => ((bits[byte] ?? 0) & mask) !== 0)
  return has(address) && topics.some(has)
}

/**
 * Whether these logs produce exactly this bloom filter. A missing log leaves bits unset, unless other logs set the same
 * bits.
 */
export function accountsFor(logs: readonly BloomEntry[], bloom: Hex): boolean {
  const bits = new Uint8Array(bloomBytes)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address.toLowerCase() as Hex, ...topics]))) {
    for (const [byte, mask] of bitsOf(value)) bits[byte] = (bits[byte] ?? 0) | mask
  }
  const expected = hexToBytes(bloom)
  return expected.length === bloomBytes && bits.every((byte, index) => byte === expected[index])
}

/**
 * The positions of a value's three bits as defined by the Yellow Paper, each taken from two bytes of the value's hash
 * and counted from the filter's end.
 */
function bitsOf(value: Hex): [byte: number, mask: number][] {
  const hash = keccak256(value, 'bytes')
  return [0, 2, 4].map((start) => {
    const bit = (((hash[start] ?? 0) << 8) | (hash[start + 1] ?? 0)) & 2047
    return [bloomBytes - 1 - (bit >> 3), 1 << (bit & 7)]
  })
}
