import type { Clock } from '@firmquote/core'

/** The wall clock in Unix seconds, the unit that the contracts use. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}
