// Why: docs/decisions/0007-slice-scheduler.md
// Why: docs/decisions/0026-unknown-commits.md
import type { Clock } from '@firmquote/core/utils'

/** A task that runs in a later event-loop iteration, at most once per iteration. */
export type SlicedTask = {
  /** Schedules the task for the next iteration. Further calls before the task runs have no effect. */
  schedule(): void
  isScheduled(): boolean
}

/**
 * Creates a task that works in slices: each run does one slice and schedules the next one while work remains. Timers
 * and I/O run between slices, so a long queue delays neither deadlines nor answers.
 */
export function createSlicedTask(runSlice: () => void): SlicedTask {
  let scheduled = false
  const run = () => {
    scheduled = false
    runSlice()
  }
  return {
    schedule() {
      if (scheduled) return
      scheduled = true
      setImmediate(run)
    },
    isScheduled: () => scheduled,
  }
}

/** Resolves in the next event-loop iteration; use it between slices in an async function. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Calls `callback` after a delay in milliseconds, once all input that arrived by then has been read. After a busy
 * period, timers run before I/O, so an unread answer would look like a missing one.
 *
 * @returns a function that cancels the callback.
 */
export function afterPendingReads(clock: Pick<Clock, 'after'>, milliseconds: number, callback: () => void): () => void {
  let cancel = clock.after(milliseconds, () => {
    cancel = clock.after(0, callback)
  })
  return () => cancel()
}
