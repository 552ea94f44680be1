import type { Clock } from '@firmquote/core/utils'

/** Memoizes an async function without arguments. Failures are not cached. */
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

/** Caches the result of an async function without arguments for this number of milliseconds. */
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
