/** Where a daemon gets its time from. */
export type Clock = {
  /** Unix milliseconds. */
  now(): number
  /** Calls back once after so many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, callback: () => void): () => void
}
