import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { ThreadFigures } from '../ports/metrics.ts'

/** Watches the resource usage of this process's threads. */
export type ThreadWatch = {
  /**
   * Current figures for this thread, and the other threads' figures as of the previous call, because those threads
   * answer asynchronously.
   */
  figures(): ThreadFigures[]
  /** Stops watching. */
  stop(): void
}

/** Watches this thread and all threads started later. Thread names require Node 22.20. */
export function watchThreads(): ThreadWatch {
  const others = new Map<Worker, ThreadFigures & { isAsked: boolean }>()

  const ask = async (worker: Worker): Promise<void> => {
    const known = others.get(worker)
    // A busy thread is not queried again until it has answered.
    if (!known || known.isAsked) return
    known.isAsked = true
    try {
      const { idle, active } = worker.performance.eventLoopUtilization()
      // Node reports no idle time for a thread that never returns to its event loop, so the figure would be
      // meaningless.
      known.busySeconds = idle > 0 ? active / 1_000 : null
      const heap = await worker.getHeapStatistics()
      known.heapBytes = heap.used_heap_size
      known.heapLimitBytes = heap.heap_size_limit
      // Some supported versions of Node lack `cpuUsage`.
      const cpu = await worker.cpuUsage?.()
      known.cpuSeconds = cpu ? secondsOf(cpu) : null
    } catch {
      // The thread ended.
    } finally {
      known.isAsked = false
    }
  }

  const watch = (worker: Worker) => {
    worker.once('online', () => {
      const thread = worker.threadName
      if (!thread) return
      others.set(worker, { thread, ...unknown, isAsked: false })
      void ask(worker)
    })
    worker.once('exit', () => others.delete(worker))
  }
  process.on('worker', watch)

  return {
    figures() {
      for (const worker of others.keys()) void ask(worker)
      return [ownFigures(), ...[...others.values()].map(({ isAsked: _, ...figures }) => figures)]
    },
    stop() {
      process.off('worker', watch)
      others.clear()
    },
  }
}

const unknown = { heapBytes: null, heapLimitBytes: null, cpuSeconds: null, busySeconds: null }

function ownFigures(): ThreadFigures {
  const { used_heap_size: heapBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics()
  const cpu = process.threadCpuUsage?.()
  return {
    thread: 'main',
    heapBytes,
    heapLimitBytes,
    cpuSeconds: cpu ? secondsOf(cpu) : null,
    busySeconds: performance.eventLoopUtilization().active / 1_000,
  }
}

function secondsOf({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1e6
}
