import type { Clock } from '../ports/clock.ts'

/** The machine's clocks: `Date` for the wall, `performance` for what must never jump. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after(milliseconds, callback) {
      const due = performance.now() + milliseconds
      let timer: NodeJS.Timeout
      const arm = () => {
        timer = setTimeout(
          () => {
            // A timer may fire up to a millisecond early; an auction must never close before its time.
            if (performance.now() < due) arm()
            else callback()
          },
          Math.max(due - performance.now(), 0),
        )
      }
      arm()
      return () => clearTimeout(timer)
    },
  }
}
