import type { Clock } from '@firmquote/core/utils'

/** Returns the wall-clock time in Unix seconds, the unit that the contracts use. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}
