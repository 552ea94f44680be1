import type { Clock } from '@firmquote/core'

/**
 * Creates a token bucket: `messages` at once, and as many again in every `periodMs`, refilled continuously. The returned
 * function takes one token and returns whether there was one.
 */
export function createTokenBucket(clock: Clock, { messages, periodMs }: { messages: number; periodMs: number }) {
  let tokens = messages
  let refilledAt = clock.monotonic()
  return (): boolean => {
    const now = clock.monotonic()
    tokens = Math.min(messages, tokens + ((now - refilledAt) * messages) / periodMs)
    refilledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
