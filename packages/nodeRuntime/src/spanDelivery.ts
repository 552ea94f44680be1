import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'

/** What stands between spans that have ended and who collects them: it bounds what waits, and tells of what is lost. */
export type SpanDelivery = {
  /** Sends batches; each has an answer in time. */
  exporter: SpanExporter
  /** The processor, which gets no more than may wait. */
  guard(processor: SpanProcessor): SpanProcessor
  /** Notes that something was not written, since too much is. */
  leftOut(): void
  /** Says what has not been said. */
  close(): void
}

/** What it needs. */
export type SpanDeliveryOptions = {
  log: Record<'info' | 'warn', (facts: object, message: string) => void>
  /** Milliseconds. */
  now: () => number
  /** A batch that is not taken after so many milliseconds is lost. */
  sendMs: number
  /** The most spans that wait, those being sent among them. */
  mostWaiting: number
  /** Ends the connections to the collector. */
  cut: () => void
}

/** Lines about the same thing are so many milliseconds apart. */
const quietMs = 60_000

/** Creates it around what sends spans. */
export function createSpanDelivery(
  sender: SpanExporter,
  { log, now, sendMs, mostWaiting, cut }: SpanDeliveryOptions,
): SpanDelivery {
  let waiting = 0
  const lost = createCount(now, (spans, cause) =>
    log.warn(
      { spans, ...(cause !== undefined && { cause }) },
      'the collector of traces does not take them; these are lost',
    ),
  )
  const skipped = createCount(now, (requests) =>
    log.info({ requests }, 'there was more to trace than is written; these are left out'),
  )

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
          // One that trickles would hold its connection for ever.
          cut()
          end({ code: 1 }, 'TIMEOUT')
        }, sendMs)
        timer.unref()
        sender.export(spans, end)
      },
      forceFlush: async () => sender.forceFlush?.(),
      shutdown: () => sender.shutdown(),
    },
    guard: (processor) => ({
      onStart: (span, context) => processor.onStart(span, context),
      onEnd(span: ReadableSpan) {
        if (waiting >= mostWaiting) return lost.add(1, 'QUEUE_FULL')
        waiting += 1
        processor.onEnd(span)
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    }),
    leftOut: () => skipped.add(1),
    close() {
      lost.flush()
      skipped.flush()
    },
  }
}

/** Counts, and tells at once of the first and then at most once a minute of what has come since. */
function createCount(now: () => number, tell: (count: number, cause?: string | number) => void) {
  let count = 0
  let last: string | number | undefined
  let toldAt = Number.NEGATIVE_INFINITY

  const flush = () => {
    if (count === 0) return
    toldAt = now()
    tell(count, last)
    count = 0
  }
  return {
    add(more: number, cause?: string | number) {
      count += more
      last = cause
      if (now() - toldAt >= quietMs) flush()
    },
    flush,
  }
}

/** The status or the code of a failure; its message may have what the collector has said. */
function causeOf(error: unknown): string | number {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' || typeof code === 'number') return code
  return typeof name === 'string' ? name : 'UNKNOWN'
}
