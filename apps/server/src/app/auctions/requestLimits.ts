import type { Clock } from '@firmquote/core'
import type { OpenRefusal, Outcome } from '../service.ts'

/** How many auctions may be opened. */
export type RequestLimits = {
  /** By one requester in any minute. */
  rfqsPerMinute: number
  /** Open at the same time by one requester. */
  openRfqs: number
  /** Open at the same time by everyone. */
  openAuctions: number
}

const windowMs = 60_000

/** Counts who opens how much. */
export type RequestCounter = {
  /** Takes a place for one auction, or says why there is none. The value gives the place back; once is enough. */
  take(requester: string): Outcome<() => void, OpenRefusal>
}

/** Counts auctions in a window that slides with the monotonic clock. */
export function createRequestCounter(clock: Pick<Clock, 'monotonic'>, limits: RequestLimits): RequestCounter {
  const times = new Map<string, number[]>()
  const open = new Map<string, number>()
  let openInAll = 0
  let sweptAt = clock.monotonic()

  const sweep = (now: number) => {
    if (now - sweptAt < windowMs) return
    sweptAt = now
    for (const [requester, [...recent]] of times) {
      if (recent.every((time) => time <= now - windowMs)) times.delete(requester)
    }
  }
  const release = (requester: string) => {
    openInAll -= 1
    const left = (open.get(requester) ?? 1) - 1
    if (left > 0) open.set(requester, left)
    else open.delete(requester)
  }

  return {
    take(requester) {
      const now = clock.monotonic()
      sweep(now)
      if (openInAll >= limits.openAuctions) return { ok: false, rejection: { code: 'OVERLOADED' } }
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
      openInAll += 1
      let taken = true
      return {
        ok: true,
        value: () => {
          if (taken) release(requester)
          taken = false
        },
      }
    },
  }
}
