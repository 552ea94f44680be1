/** Time, as the only thing that may know it hands it out. */
export type Clock = {
  /** The wall clock, Unix milliseconds. It may jump. */
  now(): number
  /** Milliseconds since some fixed moment; never goes back, whatever the wall clock does. */
  monotonic(): number
  /** Calls back once after so many monotonic milliseconds. The answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}
