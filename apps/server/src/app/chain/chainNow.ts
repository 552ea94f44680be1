import type { BlockRef } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'

/** Returns the wall-clock time in Unix seconds, the unit that the contracts use. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}

/**
 * Returns the time that decides whether a quote has ended, in Unix seconds: the wall clock or the newest block's
 * timestamp, whichever is later, as in `judgeState`.
 */
export function quoteTime(clock: Pick<Clock, 'now'>, sync: { status(): { head: BlockRef | null } }): bigint {
  const now = chainNow(clock)
  const newest = sync.status().head?.timestamp ?? 0n
  return newest > now ? newest : now
}
