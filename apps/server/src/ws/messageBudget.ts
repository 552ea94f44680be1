import type { Clock } from '@firmquote/core'

/** Lets through so many at once and as many again in every period, evenly refilled. The answer tells whether one may pass. */
export function createMessageBudget(clock: Clock, { messages, periodMs }: { messages: number; periodMs: number }) {
  let left = messages
  let at = clock.monotonic()
  return (): boolean => {
    const now = clock.monotonic()
    left = Math.min(messages, left + ((now - at) * messages) / periodMs)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
