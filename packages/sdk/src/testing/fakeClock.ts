import type { Clock } from '../clock.ts'

/** A clock that stands still until it is told to go on. */
export function createFakeClock(start = 1_767_225_600_000): Clock & { advance(ms: number): void; pending(): number } {
  let now = start
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.callback()
      }
      now = end
    },
    pending: () => timers.size,
  }
}
