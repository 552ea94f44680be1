import type { Clock } from '../ports/clock.ts'

/** A clock that a test moves by hand. */
export type FakeClock = Clock & {
  /** Lets both clocks run on, calling back whatever falls due, in order. */
  advance(milliseconds: number): void
  /** Moves the wall clock alone, as an administrator or a time server would. */
  jump(milliseconds: number): void
}

/** Creates a clock that stands still; `start` is its wall time in Unix milliseconds. */
export function createFakeClock(start: number = Date.now()): FakeClock {
  let wall = start
  let elapsed = 0
  const timers = new Set<{ due: number; callback: () => void }>()
  return {
    now: () => wall,
    monotonic: () => elapsed,
    after(milliseconds, callback) {
      const timer = { due: elapsed + milliseconds, callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    advance(milliseconds) {
      const end = elapsed + milliseconds
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (!next) break
        timers.delete(next)
        wall += next.due - elapsed
        elapsed = next.due
        next.callback()
      }
      wall += end - elapsed
      elapsed = end
    },
    jump(milliseconds) {
      wall += milliseconds
    },
  }
}
