import type { Clock } from '@firmquote/core'
import { LRUCache } from 'lru-cache'

/** How many checks of contract signatures may fail for one sender in a minute. */
const mostFailures = 20
const windowMs = 60_000
const maxSenders = 10_000

/** Limits the failed checks of contract signatures by who has sent the quotes. */
export type FailedChecks = {
  /**
   * Admits one check, or says in how many seconds to come back. It counts as failed until `giveBack` is called, so that a sender
   * has no more under way than may fail.
   */
  admit(sender: string): { ok: true; giveBack(): void } | { ok: false; retryAfterSeconds: number }
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
        giveBack() {
          const current = senders.get(sender)
          if (current) current.left += 1
        },
      }
    },
  }
}
