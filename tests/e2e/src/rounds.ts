import fc from 'fast-check'

/** The value that a seed draws. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, unbiased = false): T {
  const [drawn] = fc.sample(arbitrary, { seed, numRuns: 1, unbiased })
  if (drawn === undefined) throw new TypeError('nothing was drawn')
  return drawn
}

/** Arrays of `outer` arrays of `inner` values, such as one plan per backer. */
export function table<T>(value: fc.Arbitrary<T>, outer: number, inner: number): fc.Arbitrary<T[][]> {
  return arrayOf(arrayOf(value, inner), outer)
}

/** Arrays of a fixed length. */
export function arrayOf<T>(value: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(value, { minLength: length, maxLength: length })
}

/** Plays a round; an error names the round. */
export async function playRound<T>(play: () => Promise<T>, describe: () => string): Promise<T> {
  try {
    return await play()
  } catch (cause) {
    throw new TypeError(`${describe()}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
