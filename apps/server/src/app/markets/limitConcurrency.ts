import { OverloadedError } from '../../ports/errors.ts'

/** Runs a limited number of tasks at a time, in call order. */
export type ConcurrencyLimit = {
  /**
   * Runs a task once a slot is free.
   *
   * @throws {OverloadedError} immediately, if too many tasks are waiting.
   */
  run<T>(task: () => Promise<T>): Promise<T>
}

export function limitConcurrency({
  maxRunning,
  maxWaiting,
}: {
  maxRunning: number
  maxWaiting: number
}): ConcurrencyLimit {
  let running = 0
  const waiting: (() => void)[] = []

  return {
    async run(task) {
      if (running < maxRunning) running += 1
      else if (waiting.length >= maxWaiting) throw new OverloadedError()
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await task()
      } finally {
        // The slot passes to the next waiting task or becomes free.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
