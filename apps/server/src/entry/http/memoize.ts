import type { Clock } from '@firmquote/core'

/** Makes a value at the first call and gives the same to all; a failure is forgotten, so that the next call tries again. */
export function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

/** The same, made anew by the first call after so many milliseconds. */
export function cacheFor<T>(
  milliseconds: number,
  clock: Pick<Clock, 'monotonic'>,
  make: () => Promise<T>,
): () => Promise<T> {
  let current = memoizeAsync(make)
  let madeAt = Number.NEGATIVE_INFINITY
  return () => {
    if (clock.monotonic() - madeAt >= milliseconds) {
      madeAt = clock.monotonic()
      current = memoizeAsync(make)
    }
    return current()
  }
}
