import fc from 'fast-check'

/** Draws a value from a seed. */
export function draw<T>(arbitrary: fc.Arbitrary<T>, seed: number, unbiased = false): T {
  const [drawn] = fc.sample(arbitrary, { seed, numRuns: 1, unbiased })
  if (drawn === undefined) throw new TypeError('nothing was drawn')
  return drawn
}

/** Generates arrays of `outer` arrays of `inner` values, for example one plan per backer. */
export function table<T>(value: fc.Arbitrary<T>, outer: number, inner: number): fc.Arbitrary<T[][]> {
  return arrayOf(arrayOf(value, inner), outer)
}

/** Generates arrays of a fixed length. */
export function arrayOf<T>(value: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(value, { minLength: length, maxLength: length })
}

/** Runs a round. The message of any error identifies the round. */
export async function playRound<T>(play: () => Promise<T>, describe: () => string): Promise<T> {
  try {
    return await play()
  } catch (cause) {
    throw new TypeError(`${describe()}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
