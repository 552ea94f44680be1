// Why: docs/decisions/0061-traces-on-demand.md
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Agent } from 'node:http'
import {
  type Context,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createSpanBudget } from './spanBudget.ts'
import { createSpanDelivery } from './spanDelivery.ts'
import type { Span, SpanAttributes, SpanKind, SpanStart, Tracing } from './tracing.ts'
import type { TracingSettings } from './tracingSettings.ts'

/** Logger that reports lost traces. */
export type TracingLog = Record<'info' | 'warn', (facts: object, message: string) => void>

/** Options for {@link createOpenTelemetry}. */
export type OpenTelemetryOptions = {
  version: string
  log: TracingLog
  /** Limit on spans: a sustained rate per second (default 250) and a burst (default 2,500). */
  budget?: { perSecond: number; burst: number }
  /** Maximum number of unsent spans, including those being sent. Default 8,192. */
  maxQueueSize?: number
  /** Milliseconds to collect spans before sending a batch. Default 1,000. */
  batchMs?: number
  /** Milliseconds after which an unacknowledged batch is dropped. Default 10,000. */
  sendMs?: number
  /** Maximum number of milliseconds that {@link Tracing.close} waits. Default 2,000. */
  closeMs?: number
  /** Returns a number from 0 (inclusive) to 1 (exclusive), for the sampler. */
  random?: () => number
}

const kinds: Record<SpanKind, OtelSpanKind> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
}

/** Limits that bound a span's size. */
const spanLimits = { attributeCountLimit: 32, eventCountLimit: 64, attributeValueLengthLimit: 256 }

/** A span with the context in which its children start. */
type ContextSpan = Span & { readonly context: Context }

/**
 * Records traces with OpenTelemetry and exports them by OTLP over HTTP. A budget limits the spans created, and a
 * bounded queue limits the unsent spans. If the collector is slow or unreachable, only spans are lost.
 */
export function createOpenTelemetry(
  { url, headers, serviceName, sampler }: TracingSettings,
  options: OpenTelemetryOptions,
): Tracing {
  const { version, log, random = Math.random, maxQueueSize = 8_192, sendMs = 10_000, closeMs = 2_000 } = options
  const monotonic = () => performance.now()
  const now = createWallClock()
  const budget = createSpanBudget(options.budget ?? { perSecond: 250, burst: 2_500 }, monotonic)
  const running = new AsyncLocalStorage<ContextSpan | null>()
  const agents = new Set<Agent>()
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: sendMs,
    concurrencyLimit: 4,
    httpAgentOptions: async (protocol) => {
      const { Agent } = protocol === 'https:' ? await import('node:https') : await import('node:http')
      const agent = new Agent({ keepAlive: true, maxSockets: 4 })
      agents.add(agent)
      return agent
    },
  })
  const closeConnections = () => {
    for (const agent of agents) agent.destroy()
  }
  const delivery = createSpanDelivery(exporter, { log, now: monotonic, sendMs, maxQueueSize, closeConnections })
  const processor = new BatchSpanProcessor({
    exporter: delivery.exporter,
    maxQueueSize: maxQueueSize,
    maxExportBatchSize: 512,
    scheduledDelayMillis: options.batchMs ?? 1_000,
    exportTimeoutMillis: sendMs + 1_000,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    // `begin` has already decided whether to sample.
    sampler: new AlwaysOnSampler(),
    spanLimits,
    spanProcessors: [delivery.limitQueue(processor)],
  })
  const tracer = provider.getTracer('firmquote', version)

  const isRecorded = ({ parent, isOwn = false }: SpanStart): boolean => {
    const isAsked = parent !== undefined && isSampled(parent)
    if (parent !== undefined && (isOwn || sampler.followsParent) && !isAsked) return false
    // Callers choose their trace ids, so sampling must not depend on the id.
    return (isOwn && parent !== undefined) || random() < sampler.share
  }

  const start = (name: string, within: Context, kind: SpanKind, attributes?: SpanAttributes, startedAt?: number) => {
    budget.spend()
    const fields = { kind: kinds[kind], ...(attributes && { attributes }), ...(startedAt && { startTime: startedAt }) }
    return known(tracer.startSpan(name, fields, within), within)
  }

  const known = (span: OtelSpan, within: Context): ContextSpan => {
    const context = trace.setSpan(within, span)
    const { traceId, spanId } = span.spanContext()
    return {
      context,
      traceparent: `00-${traceId}-${spanId}-01`,
      set: (attributes) => void span.setAttributes(attributes),
      event: (name, attributes) => void span.addEvent(name, attributes, now()),
      fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
      past: (name, startedAt) => start(name, context, 'internal', undefined, startedAt).end(),
      end: () => span.end(now()),
    }
  }

  return {
    now,
    begin(name, given) {
      if (!isRecorded(given)) return null
      if (!budget.admits(given.isOwn === true)) {
        delivery.countSkipped()
        return null
      }
      const { parent, kind, attributes, startedAt = now() } = given
      return start(name, parent === undefined ? ROOT_CONTEXT : remoteContext(parent), kind, attributes, startedAt)
    },
    run: (span, work) => running.run(span as ContextSpan | null, work),
    current: () => running.getStore() ?? null,
    async step(name, work, { kind = 'internal', attributes } = {}) {
      const current = running.getStore()
      if (!current) return work(null)
      const span = start(name, current.context, kind, attributes, now())
      try {
        return await running.run(span, () => work(span))
      } catch (error) {
        span.fail(error instanceof Error ? error.name : 'Error')
        throw error
      } finally {
        span.end()
      }
    },
    async close() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeMs)
      })
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
      closeConnections()
      delivery.close()
    },
  }
}

/**
 * Creates a clock with sub-millisecond resolution. Monotonic, except that it follows adjustments of more than 50 ms to
 * the system clock.
 */
function createWallClock(): () => number {
  let offset = Date.now() - performance.now()
  return () => {
    const steady = performance.now()
    const wall = Date.now()
    if (Math.abs(wall - steady - offset) > 50) offset = wall - steady
    return steady + offset
  }
}

function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(-2), 16) & TraceFlags.SAMPLED) !== 0
}

function remoteContext(traceparent: string): Context {
  const [, traceId = '', spanId = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true })
}
