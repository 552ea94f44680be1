/** Where the clients get their time from. Replace it in tests. */
export type Clock = {
  /** Unix milliseconds. */
  now(): number
  /** Calls back once after so many milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
