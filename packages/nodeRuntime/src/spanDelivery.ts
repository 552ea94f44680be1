import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'

/** A bounded queue between finished spans and the collector. Reports lost spans. */
export type SpanDelivery = {
  /** Sends batches, with a timeout. */
  exporter: SpanExporter
  /** Wraps a processor so that its queue stays within `maxQueueSize`. */
  limitQueue(processor: SpanProcessor): SpanProcessor
  /** Counts a request that was not traced because the budget was exhausted. */
  countSkipped(): void
  /** Logs counts that have not yet been logged. */
  close(): void
}

/** Options for {@link createSpanDelivery}. */
export type SpanDeliveryOptions = {
  log: Record<'info' | 'warn', (facts: object, message: string) => void>
  /** Returns milliseconds. */
  now: () => number
  /** Milliseconds after which an unacknowledged batch is dropped. */
  sendMs: number
  /** Maximum number of unsent spans, including those being sent. */
  maxQueueSize: number
  /** Closes the connections to the collector. */
  closeConnections: () => void
}

/** Minimum interval between log lines about the same problem, in milliseconds. */
const reportIntervalMs = 60_000

/** Creates a queue in front of an exporter. */
export function createSpanDelivery(
  sender: SpanExporter,
  { log, now, sendMs, maxQueueSize, closeConnections }: SpanDeliveryOptions,
): SpanDelivery {
  let waiting = 0
  const lost = createCount(now, (spans, cause) =>
    log.warn({ spans, ...(cause !== undefined && { cause }) }, 'failed to export spans; they are lost'),
  )
  const skipped = createCount(now, (requests) => log.info({ requests }, 'span budget exceeded; requests not traced'))

  return {
    exporter: {
      export(spans, done) {
        let isOver = false
        const end = (result: Parameters<typeof done>[0], cause?: string | number) => {
          if (isOver) return
          isOver = true
          clearTimeout(timer)
          waiting -= spans.length
          if (result.code !== 0) lost.add(spans.length, cause ?? causeOf(result.error))
          done(result)
        }
        const timer = setTimeout(() => {
          // Close the connections, because a slow collector could keep its connection open forever.
          closeConnections()
          end({ code: 1 }, 'TIMEOUT')
        }, sendMs)
        timer.unref()
        sender.export(spans, end)
      },
      forceFlush: async () => sender.forceFlush?.(),
      shutdown: () => sender.shutdown(),
    },
    limitQueue: (processor) => ({
      onStart: (span, context) => processor.onStart(span, context),
      onEnd(span: ReadableSpan) {
        if (waiting >= maxQueueSize) return lost.add(1, 'QUEUE_FULL')
        waiting += 1
        processor.onEnd(span)
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    }),
    countSkipped: () => skipped.add(1),
    close() {
      lost.flush()
      skipped.flush()
    },
  }
}

/** Creates a counter that reports the first event immediately and later ones at most once a minute. */
function createCount(now: () => number, report: (count: number, cause?: string | number) => void) {
  let count = 0
  let last: string | number | undefined
  let reportedAt = Number.NEGATIVE_INFINITY

  const flush = () => {
    if (count === 0) return
    reportedAt = now()
    report(count, last)
    count = 0
  }
  return {
    add(more: number, cause?: string | number) {
      count += more
      last = cause
      if (now() - reportedAt >= reportIntervalMs) flush()
    },
    flush,
  }
}

/** Returns the status or code of a failure. The message is omitted, because it may contain the collector's response. */
function causeOf(error: unknown): string | number {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' || typeof code === 'number') return code
  return typeof name === 'string' ? name : 'UNKNOWN'
}
