/** A source of time. Tests pass a clock that they advance manually. */
export type Clock = {
  /** The wall clock, in Unix milliseconds. Jumps when the system clock is set. */
  now(): number
  /** Milliseconds since an arbitrary point in time. Monotonic: changes to the wall clock do not affect it. */
  monotonic(): number
  /**
   * Calls `callback` once, after at least `milliseconds` of monotonic time. Returns a function that cancels the
   * callback.
   */
  after(milliseconds: number, callback: () => void): () => void
}

/** Maximum delay of a timer. A longer delay would overflow and fire immediately. */
const maxDelay = 2 ** 31 - 1

/** The system's clock: `Date` for wall-clock time, `performance` for monotonic time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const due = performance.now() + milliseconds
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          // Node's timers may fire up to a millisecond early, but an auction must never close early.
          if (performance.now() < due) arm()
          else callback()
        },
        Math.min(Math.max(due - performance.now(), 0), maxDelay),
      )
    }
    arm()
    return () => clearTimeout(timer)
  },
}
