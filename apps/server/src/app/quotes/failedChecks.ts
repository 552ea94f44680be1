import type { Clock } from '@firmquote/core'
import { LRUCache } from 'lru-cache'

/** How many checks of contract signatures may fail for one sender in a minute. */
const mostFailures = 20
const windowMs = 60_000
const maxSenders = 10_000

/** Limits the failed checks of contract signatures by who has sent the quotes. */
export type FailedChecks = {
  /** Admits one check, which counts as failed until `passed` is called; or says in how many seconds to come back. */
  admit(sender: string): { ok: true; passed(): void } | { ok: false; retryAfterSeconds: number }
}

/** Creates the limit, refilled continuously. */
export function createFailedChecks(clock: Pick<Clock, 'monotonic'>): FailedChecks {
  const senders = new LRUCache<string, { left: number; at: number }>({ max: maxSenders })
  const perMs = mostFailures / windowMs

  return {
    admit(sender) {
      const now = clock.monotonic()
      const known = senders.get(sender) ?? { left: mostFailures, at: now }
      const left = Math.min(mostFailures, known.left + (now - known.at) * perMs)
      if (left < 1) return { ok: false, retryAfterSeconds: Math.ceil((1 - left) / perMs / 1_000) }
      senders.set(sender, { left: left - 1, at: now })
      return {
        ok: true,
        passed() {
          const current = senders.get(sender)
          if (current) current.left += 1
        },
      }
    },
  }
}
