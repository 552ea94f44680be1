/**
 * Runs tasks, and gives what each has come to within `timeoutMs`, in their order: null for one that has failed or not ended.
 * One that has not begun by then is not begun any more.
 */
export type RunWithin = <T>(tasks: readonly (() => Promise<T>)[], timeoutMs: number) => Promise<(T | null)[]>

/** Creates a gate that lets `atOnce` tasks of all its callers run at the same time, first come first served. */
export function createGate(atOnce: number): RunWithin {
  const waiting = new Set<() => void>()
  let running = 0

  const startNext = () => {
    for (const start of waiting) {
      if (running >= atOnce) return
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
            // It has no result.
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
