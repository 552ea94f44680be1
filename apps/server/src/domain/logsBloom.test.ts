import { expect, test } from '@jest/globals'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { accountsFor, mayContain } from './logsBloom.ts'

const empty: Hex = `0x${'00'.repeat(256)}`
const address: Hex = '0x000000000000000000000000000000000000dEaD'
const topic = (n: number) => numberToHex(n, { size: 32 })

/** Computes logs' bloom filter. A bit is set if a filter with every other bit set does not match. */
function bloomOf(logs: readonly { address: Hex; topics: readonly Hex[] }[]): Hex {
  const bytes = new Uint8Array(256)
  for (let bit = 0; bit < 2_048; bit += 1) {
    const others = new Uint8Array(256).fill(255)
    others[bit >> 3] = 255 - (1 << (bit & 7))
    const filter = hexOf(others)
    const fits = (value: Hex) => mayContain(filter, value, [value])
    const isNeeded = !logs.every(({ address, topics }) => [address, ...topics].every(fits))
    if (isNeeded) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return hexOf(bytes)
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

test('default', () => {
  const logs = [{ address, topics: [topic(1), topic(2)] }]
  const bloom = bloomOf(logs)
  expect(mayContain(bloom, address, [topic(1)])).toBe(true)
  expect(mayContain(bloom, address, [topic(3), topic(2)])).toBe(true)
  expect(mayContain(bloom, address, [topic(3)])).toBe(false)
  expect(mayContain(bloom, zeroAddress, [topic(1)])).toBe(false)
  expect(mayContain(empty, address, [topic(1)])).toBe(false)
  expect(accountsFor(logs, bloom)).toBe(true)
  expect(accountsFor([{ address: address.toLowerCase() as Hex, topics: [topic(2), topic(1)] }], bloom)).toBe(true)
  expect(accountsFor([], empty)).toBe(true)
})

test('behavior: a missing log or an additional one is detected', () => {
  const logs = [
    { address, topics: [topic(1)] },
    { address: zeroAddress, topics: [topic(2)] },
  ]
  const bloom = bloomOf(logs)
  expect(accountsFor(logs, bloom)).toBe(true)
  expect(accountsFor(logs.slice(1), bloom)).toBe(false)
  expect(accountsFor([], bloom)).toBe(false)
  expect(accountsFor([...logs, { address, topics: [topic(9)] }], bloom)).toBe(false)
})

// Expected bits, computed by hand from the Yellow Paper's definition: the hash of 20 zero bytes starts with
// 5380c7b7ae81a58e.
test('behavior: the bits match the definition', () => {
  const bits = [0x5380, 0xc7b7, 0xae81].map((pair) => pair & 2_047)
  const bytes = new Uint8Array(256)
  for (const bit of bits) bytes[255 - (bit >> 3)] = (bytes[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7))
  expect(accountsFor([{ address: zeroAddress, topics: [] }], hexOf(bytes))).toBe(true)
})
