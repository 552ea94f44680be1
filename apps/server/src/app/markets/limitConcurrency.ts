import { OverloadedError } from '../../ports/errors.ts'

/** Lets work run a few at a time, in the order in which it came. */
export type LimitConcurrency = {
  /**
   * Runs the work when it is its turn.
   *
   * @throws {OverloadedError} at once, when too much waits already.
   */
  take<T>(work: () => Promise<T>): Promise<T>
}

/** Creates it. */
export function limitConcurrency({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): LimitConcurrency {
  let running = 0
  const waiting: (() => void)[] = []

  return {
    async take(work) {
      if (running < atOnce) running += 1
      else if (waiting.length >= mostWaiting) throw new OverloadedError()
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // The place goes to the next one, or becomes free.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
