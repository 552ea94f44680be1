import type { Store } from '../src/ports/store.ts'

/**
 * Makes stores of several instances out of one that gives everyone the lease: one of them has it at a time, by a clock that they
 * share.
 *
 * @param now milliseconds.
 */
export function createSharedLease(now: () => number) {
  let lease: { holder: string; until: number } | null = null
  return {
    /** Who has it now; null for nobody. */
    holder: () => (lease && lease.until > now() ? lease.holder : null),
    share: (store: Store): Store => ({
      ...store,
      async holdLease(holder, milliseconds) {
        if (lease && lease.holder !== holder && lease.until > now()) return false
        lease = { holder, until: now() + milliseconds }
        return true
      },
    }),
  }
}
