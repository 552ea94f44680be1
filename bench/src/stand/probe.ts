// Loaded into a server's process before the server (`--import`): measures what only that process can. It costs nothing
// before the first `reset`, and one timer a millisecond after it.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { Percentiles } from '../figures.ts'
import { answerCalls } from '../processes.ts'

const timerMs = 1
let delay: ReturnType<typeof monitorEventLoopDelay> | undefined

const functions = {
  /** How late the event loop was since the last `reset`, in milliseconds. */
  delay(): Percentiles {
    // The histogram holds the time from one tick of its timer to the next.
    const late = (nanoseconds = 0) => Math.max(0, nanoseconds / 1e6 - timerMs)
    const at = (percentile: number) => late(delay?.percentile(percentile))
    return { count: delay?.count ?? 0, p50: at(50), p95: at(95), p99: at(99), max: late(delay?.max) }
  },
  /** Counts the delays from zero. */
  reset() {
    delay?.disable()
    delay = monitorEventLoopDelay({ resolution: timerMs })
    delay.enable()
  },
  /** Processor time of all threads since the start, in microseconds. */
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  /** MiB after a collection of all garbage: resident memory, and the heap with the memory outside it for its objects. */
  memory() {
    for (let time = 0; time < 3; time += 1) globalThis.gc?.()
    const { rss, heapUsed, external } = process.memoryUsage()
    return { resident: rss / 2 ** 20, heap: (heapUsed + external) / 2 ** 20 }
  },
}
/** A server's process, as it measures itself. */
export type Probe = typeof functions
if (isMainThread) answerCalls(functions)
