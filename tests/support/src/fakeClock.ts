import type { Clock } from '@firmquote/core/utils'

/** A clock that a test advances manually. */
export type FakeClock = ReturnType<typeof createFakeClock>

/** Creates a stopped clock. `start` is the clock's wall time in Unix milliseconds. Default: the real time. */
export function createFakeClock(start: number = Date.now()) {
  let wall = start
  let elapsed = 0
  const timers = new Set<{ due: number; callback: () => void }>()
  const moveTo = (moment: number) => {
    // A callback may itself have advanced the clock.
    const step = Math.max(moment - elapsed, 0)
    wall += step
    elapsed += step
  }
  const clock: Clock = {
    now: () => wall,
    monotonic: () => elapsed,
    after(milliseconds, callback) {
      const timer = { due: elapsed + milliseconds, callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
  }
  return {
    ...clock,
    /** Advances both clocks and runs due callbacks in order. */
    advance(milliseconds: number) {
      const end = elapsed + milliseconds
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (!next) break
        timers.delete(next)
        moveTo(next.due)
        next.callback()
      }
      moveTo(end)
    },
    /** Changes only the wall clock, as an administrator or a time server would. */
    jump(milliseconds: number) {
      wall += milliseconds
    },
    /** Number of pending callbacks. */
    pending: () => timers.size,
  }
}
