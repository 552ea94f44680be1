import type { Clock } from '@firmquote/core'
import type { OpenRefusal, Outcome } from '../service.ts'

/** How many auctions may be opened. */
export type RequestLimits = {
  /** By one requester in any minute. */
  rfqsPerMinute: number
  /** Open at the same time by one requester. */
  openRfqs: number
  /** Open at the same time by all requesters. */
  openAuctions: number
}

const windowMs = 60_000

/** Limits how many auctions each requester opens. */
export type RequestLimiter = {
  /** Admits one auction, or says why not. The value ends its count as open; further calls of it do nothing. */
  acquire(requester: string): Outcome<() => void, OpenRefusal>
}

/** Creates a limiter with a window that slides with the monotonic clock. */
export function createRequestLimiter(clock: Pick<Clock, 'monotonic'>, limits: RequestLimits): RequestLimiter {
  const times = new Map<string, number[]>()
  const open = new Map<string, number>()
  let totalOpen = 0
  let sweptAt = clock.monotonic()

  const sweep = (now: number) => {
    if (now - sweptAt < windowMs) return
    sweptAt = now
    for (const [requester, recent] of times) {
      if (recent.every((time) => time <= now - windowMs)) times.delete(requester)
    }
  }
  const release = (requester: string) => {
    totalOpen -= 1
    const remaining = (open.get(requester) ?? 1) - 1
    if (remaining > 0) open.set(requester, remaining)
    else open.delete(requester)
  }

  return {
    acquire(requester) {
      const now = clock.monotonic()
      sweep(now)
      if (totalOpen >= limits.openAuctions) return { ok: false, rejection: { code: 'OVERLOADED' } }
      const ownOpen = open.get(requester) ?? 0
      if (ownOpen >= limits.openRfqs) {
        return { ok: false, rejection: { code: 'TOO_MANY_OPEN', open: ownOpen, limit: limits.openRfqs } }
      }
      const recent = (times.get(requester) ?? []).filter((time) => time > now - windowMs)
      const [oldest] = recent
      if (recent.length >= limits.rfqsPerMinute && oldest !== undefined) {
        const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))
        return { ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds } }
      }
      times.set(requester, [...recent, now])
      open.set(requester, ownOpen + 1)
      totalOpen += 1
      let released = false
      return {
        ok: true,
        value: () => {
          if (!released) release(requester)
          released = true
        },
      }
    },
  }
}
