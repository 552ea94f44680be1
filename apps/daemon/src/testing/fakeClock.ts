import type { Clock } from '../ports/clock.ts'

/** A clock that a test moves by hand. */
export type FakeClock = Clock & {
  /** Lets time pass, calling back whatever falls due, in order. */
  advance(milliseconds: number): void
}

/** Creates a clock that stands still; `start` is its time in Unix milliseconds. */
export function createFakeClock(start: number): FakeClock {
  let now = start
  const timers = new Set<{ due: number; callback: () => void }>()
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = { due: now + milliseconds, callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    advance(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (!next) break
        timers.delete(next)
        now = next.due
        next.callback()
      }
      now = end
    },
  }
}
