import type { Clock } from '@firmquote/core'

/** Work that is repeated. */
export type Rounds = {
  start(): void
  /** Begins no more rounds; resolves once the one under way is done. */
  stop(): Promise<void>
}

/**
 * Repeats work, each round so many milliseconds after the end of the one before. A step that fails is logged
 * once, until it succeeds again, and neither the steps behind it nor the next round are held up.
 */
export function createRounds({
  clock,
  everyMs,
  steps,
  log,
}: {
  clock: Clock
  everyMs: number
  steps: readonly { what: string; work(): Promise<void> }[]
  log: { info(facts: object, message: string): void; warn(facts: object, message: string): void }
}): Rounds {
  let isStopping = false
  let cancel = () => {}
  let current = Promise.resolve()
  const failing = new Set<string>()

  async function run(): Promise<void> {
    for (const { what, work } of steps) {
      if (isStopping) return
      try {
        await work()
        if (failing.delete(what)) log.info({}, `${what} succeeds again`)
      } catch (err) {
        if (!failing.has(what)) log.warn({ err, retryInMs: everyMs }, `${what} failed; it is tried again each round`)
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
