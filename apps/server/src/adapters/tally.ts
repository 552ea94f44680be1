import type { Address } from 'viem'

/** Counts addresses, ignoring case. */
export type Tally = {
  /** Adds an address. Returns a function that removes the address; repeated calls are harmless. */
  add(address: Address): () => void
  of(address: Address): number
  /** Number of distinct addresses. */
  size(): number
  /** Distinct addresses, in lower case. */
  addresses(): string[]
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  return {
    add(address) {
      const key = address.toLowerCase()
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const left = (counts.get(key) ?? 0) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
    of: (address) => counts.get(address.toLowerCase()) ?? 0,
    size: () => counts.size,
    addresses: () => [...counts.keys()],
  }
}
