/** Pseudorandom numbers derived from a seed and a name, identical on every machine. */
export type Random = ReturnType<typeof createRandom>

/**
 * Creates the generator for one purpose. Each purpose has its own name. Drawing more numbers for one purpose, or
 * removing an action from a history, leaves the others unchanged.
 */
export function createRandom(seed: number, name: string) {
  // The sfc32 algorithm, seeded with four hash words of the name.
  let [a, b, c, counter] = [hashWord(name, seed), hashWord(name, seed ^ 0x9e3779b9), hashWord(name, ~seed), 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) next()
  /** An integer from 0 to `limit` - 1. */
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  return {
    below,
    /** An integer from `least` to `most`, inclusive. */
    between: (least: number, most: number) => least + below(most - least + 1),
    /** True with this probability. */
    chance: (probability: number) => next() < probability * 2 ** 32,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('Cannot pick from an empty list.')
      return item
    },
    /** `count` pseudorandom bytes. */
    bytes: (count: number) => Uint8Array.from({ length: count }, () => next() >>> 24),
  }
}

/** A 32-bit hash of a string (FNV-1a with a final mix). */
export function hashWord(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
