import type { Clock } from '@firmquote/core'

/** The wall clock in Unix seconds, the unit of the contracts. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}
