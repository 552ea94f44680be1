import type { Address } from 'viem'

/** How often each of some addresses is there, whatever its case. */
export type Tally = {
  /** Adds it once more; the returned function takes that away, once. */
  add(address: Address): () => void
  of(address: Address): number
  /** How many distinct ones are there. */
  size(): number
  /** The distinct ones, lower-case. */
  addresses(): string[]
}

/** Creates an empty tally. */
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
