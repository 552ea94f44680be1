import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import type { ThreadFigures } from '../ports/metrics.ts'

/** Share of its usable heap above which a thread is reported. At the limit, V8 ends the process or the worker thread. */
const nearlyFull = 0.85
/**
 * Bytes of a heap limit that are reserved for young objects: 192 MiB in Node 24, less in a small container. V8 is out of
 * memory once the rest is full: with a limit of 252 MiB, a server ended at 60 MiB of old objects.
 */
const youngBytes = 192 * 2 ** 20
const [checkMs, logMs] = [5_000, 600_000]

/**
 * Checks the threads' heaps every five seconds, and logs a warning before V8 runs out of memory, because V8 then writes
 * only a stack trace. A thread is reported at most every ten minutes. Returns a function that stops the checks.
 *
 * @param figures returns the threads' current figures.
 */
export function watchHeap(
  { clock, log }: { clock: Pick<Clock, 'after' | 'monotonic'>; log: Pick<Logger, 'warn'> },
  figures: () => readonly ThreadFigures[],
): () => void {
  const reportedAt = new Map<string, number>()
  let cancel = () => {}

  const check = () => {
    const now = clock.monotonic()
    for (const { thread, heapBytes, heapLimitBytes } of figures()) {
      if (heapBytes === null || heapLimitBytes === null) continue
      const usableBytes = Math.max(heapLimitBytes - youngBytes, heapLimitBytes / 4)
      if (heapBytes <= usableBytes * nearlyFull) continue
      if (now - (reportedAt.get(thread) ?? Number.NEGATIVE_INFINITY) < logMs) continue
      reportedAt.set(thread, now)
      log.warn(
        { thread, heapMiB: mebibytes(heapBytes), usableMiB: mebibytes(usableBytes) },
        'heap nearly full; at its limit, V8 ends the thread or the process',
      )
    }
    cancel = clock.after(checkMs, check)
  }
  cancel = clock.after(checkMs, check)
  return () => cancel()
}

/** Converts bytes to whole MiB. */
export function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}
