import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { ThreadFigures } from '../ports/metrics.ts'

/** What the threads of this process use. */
export type ThreadWatch = {
  /** Of this thread as it is now; of the others as they were when this was asked last, since they answer when they get to it. */
  figures(): ThreadFigures[]
  /** Ends the watch. */
  stop(): void
}

/** Watches this thread, and every thread that is started from now on, by its name, which Node tells from 22.20 on. */
export function watchThreads(): ThreadWatch {
  const others = new Map<Worker, ThreadFigures & { isAsked: boolean }>()

  const ask = async (worker: Worker): Promise<void> => {
    const known = others.get(worker)
    // One that is busy for long is not asked again and again.
    if (!known || known.isAsked) return
    known.isAsked = true
    try {
      const { idle, active } = worker.performance.eventLoopUtilization()
      // One that never returns to its event loop is never idle there, and has no use for the figure.
      known.busySeconds = idle > 0 ? active / 1_000 : null
      const heap = await worker.getHeapStatistics()
      known.heapBytes = heap.used_heap_size
      known.heapLimitBytes = heap.heap_size_limit
      // Not every Node that can run this has it.
      const cpu = await worker.cpuUsage?.()
      known.cpuSeconds = cpu ? secondsOf(cpu) : null
    } catch {
      // It has ended meanwhile.
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
