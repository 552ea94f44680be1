// Why: docs/decisions/0026-unknown-commits.md
import type { Clock } from '@firmquote/core'

/**
 * Calls back after a number of milliseconds and after reading the input that arrived by then. In a process that was
 * busy for that long, timers run first, so an unread answer would look like a missing one.
 *
 * @returns a function that cancels the callback.
 */
export function afterPendingReads(clock: Pick<Clock, 'after'>, milliseconds: number, callback: () => void): () => void {
  let cancel = clock.after(milliseconds, () => {
    cancel = clock.after(0, callback)
  })
  return () => cancel()
}
