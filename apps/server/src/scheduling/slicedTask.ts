// Why: docs/decisions/0007-slice-scheduler.md
/** Work that runs in a later turn of the event loop, at most once per turn. */
export type SlicedTask = {
  /** Runs the work in the next turn. Calls before it runs are one. */
  schedule(): void
  isScheduled(): boolean
}

/**
 * Creates work that is done in slices: each run does one slice and schedules the next while something is left. Timers and
 * I/O get their turn between the slices, so a long queue delays neither a deadline nor an answer.
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

/** Resolves in the next turn of the event loop, for slices within an async function. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
