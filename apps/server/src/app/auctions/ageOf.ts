import type { ServiceClock } from '../../ports/referenceClock.ts'

/** Milliseconds since an auction opened, possibly on another instance. */
export function ageOf(clock: Pick<ServiceClock, 'now' | 'ageOf'>, openedAt: number): number {
  return clock.ageOf?.(openedAt) ?? clock.now() - openedAt
}
