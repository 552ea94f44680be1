// Why: docs/decisions/0026-unknown-commits.md
import type { Clock } from '@firmquote/core'

/**
 * Calls back after so many milliseconds, and after what has arrived in them was read. A process that was busy for that long has
 * its timers first: an answer that waits to be read would be taken for one that never came.
 *
 * @returns what cancels it.
 */
export function afterPendingReads(clock: Pick<Clock, 'after'>, milliseconds: number, callback: () => void): () => void {
  let cancel = clock.after(milliseconds, () => {
    cancel = clock.after(0, callback)
  })
  return () => cancel()
}
