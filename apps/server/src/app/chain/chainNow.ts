import type { Clock } from '@firmquote/core'

/** The wall clock in Unix seconds, as contracts count time. */
export function chainNow(clock: Pick<Clock, 'now'>): bigint {
  return BigInt(Math.floor(clock.now() / 1000))
}
