/**
 * Runs tasks and resolves with their results, in order, within `timeoutMs`. Failed and unfinished tasks yield null.
 * Tasks that have not started within `timeoutMs` are never started.
 */
export type RunWithin = <T>(tasks: readonly (() => Promise<T>)[], timeoutMs: number) => Promise<(T | null)[]>

/** Creates a limiter that runs at most `concurrency` tasks at a time across all callers, in FIFO order. */
export function createLimiter(concurrency: number): RunWithin {
  const waiting = new Set<() => void>()
  let running = 0

  const startNext = () => {
    for (const start of waiting) {
      if (running >= concurrency) return
      waiting.delete(start)
      start()
    }
  }

  return (tasks, timeoutMs) =>
    new Promise((resolve) => {
      const results: (Awaited<ReturnType<(typeof tasks)[number]>> | null)[] = tasks.map(() => null)
      const own: (() => void)[] = []
      let left = tasks.length
      const end = () => {
        clearTimeout(timer)
        for (const start of own) waiting.delete(start)
        resolve([...results])
      }
      const timer = setTimeout(end, timeoutMs)
      if (left === 0) end()
      tasks.forEach((task, index) => {
        const run = async () => {
          running += 1
          try {
            results[index] = await task()
          } catch {
            // The task's result stays null.
          }
          running -= 1
          left -= 1
          if (left === 0) end()
          startNext()
        }
        const start = () => void run()
        own.push(start)
        waiting.add(start)
      })
      startNext()
    })
}
