import type { Clock } from '@firmquote/core/utils'

/** Periodic work. */
export type PeriodicTasks = {
  start(): void
  /** Stops after the current round, and resolves when that round is done. */
  stop(): Promise<void>
}

/**
 * Repeats steps in rounds. Each round starts `everyMs` after the previous one ends. A step's failure is logged once
 * until the step succeeds again. A failure delays neither later steps nor the next round.
 */
export function createPeriodicTasks({
  clock,
  everyMs,
  steps,
  log,
}: {
  clock: Clock
  everyMs: number
  steps: readonly { what: string; work(): Promise<void> }[]
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}): PeriodicTasks {
  let isStopping = false
  let cancel = () => {}
  let current = Promise.resolve()
  const failing = new Set<string>()

  async function run(): Promise<void> {
    for (const { what, work } of steps) {
      if (isStopping) return
      try {
        await work()
        if (failing.delete(what)) log.info({}, `${what} succeeded again`)
      } catch (err) {
        if (!failing.has(what)) log.warn({ err, retryInMs: everyMs }, `${what} failed; will retry each round`)
        failing.add(what)
      }
    }
    if (!isStopping) cancel = clock.after(everyMs, begin)
  }

  function begin(): void {
    current = run()
  }

  return {
    start: begin,
    async stop() {
      isStopping = true
      cancel()
      await current
    },
  }
}
