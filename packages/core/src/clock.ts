/** A source of time. Tests pass one that they advance by hand. */
export type Clock = {
  /** The wall clock, in Unix milliseconds. It may jump, as clocks are set. */
  now(): number
  /** Milliseconds since some fixed moment. It never goes back, whatever the wall clock does. */
  monotonic(): number
  /** Calls back once, never before so many monotonic milliseconds have passed. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** What a timer holds at most: a longer delay overflows, and the timer fires at once. */
const longestDelay = 2 ** 31 - 1

/** The machine's clocks: `Date` for the wall clock, `performance` for the monotonic one. */
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
        Math.min(Math.max(due - performance.now(), 0), longestDelay),
      )
    }
    arm()
    return () => clearTimeout(timer)
  },
}
