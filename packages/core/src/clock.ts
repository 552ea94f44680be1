/** A source of time. Tests pass one that they advance by hand. */
export type Clock = {
  /** The wall clock, in Unix milliseconds. It may jump when the clock is set. */
  now(): number
  /** Monotonic milliseconds since an arbitrary time. Changes of the wall clock do not affect it. */
  monotonic(): number
  /** Calls `callback` once, after at least `milliseconds` of monotonic time. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The longest delay of a timer. A longer one overflows and fires immediately. */
const maxDelay = 2 ** 31 - 1

/** The system's clocks: `Date` for the wall clock, `performance` for the monotonic one. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const due = performance.now() + milliseconds
    let timer: ReturnType<typeof setTimeout>
    const arm = () => {
      timer = setTimeout(
        () => {
          // A timer may fire up to a millisecond early, and an auction must never close before its time.
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
