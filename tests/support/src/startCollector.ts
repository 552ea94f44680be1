import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SeenRequest, sendJson, startHttpServer } from './httpServer.ts'

/** A span as the collector received it. */
export type ReceivedSpan = {
  /** `service.name` and `service.instance.id` of the program that sent the span. */
  service: string
  instance: string
  traceId: string
  spanId: string
  /** Empty for the root span of the trace. */
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  events: string[]
  /** Unix nanoseconds. */
  start: bigint
  end: bigint
  hasFailed: boolean
}

/** Receives traces as OTLP/JSON over HTTP. */
export type Collector = Awaited<ReturnType<typeof startCollector>>

type Attributes = readonly { key: string; value: Record<string, unknown> }[]
type WireSpan = Record<'traceId' | 'spanId' | 'name' | 'startTimeUnixNano' | 'endTimeUnixNano', string> & {
  parentSpanId?: string
  kind: number
  attributes?: Attributes
  events?: { name: string }[]
  status?: { code?: number }
}
type Wire = { resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: WireSpan[] }[] }[] }

/** Starts a collector on a free port. `answer` overrides the default response, which accepts all spans. */
export async function startCollector(
  answer: (res: ServerResponse, req: SeenRequest) => void = (res) => sendJson(res, 200, {}),
) {
  const spans: ReceivedSpan[] = []
  const requests: SeenRequest[] = []
  const { url, close } = await startHttpServer((request, response) => {
    if (request.method !== 'POST' || request.path !== '/v1/traces') return response.writeHead(404).end()
    requests.push(request)
    spans.push(...spansOf(JSON.parse(request.body)))
    return answer(response, request)
  })
  return {
    url,
    spans: spans as readonly ReceivedSpan[],
    /** The accepted requests. */
    requests: requests as readonly SeenRequest[],
    /** Waits until the spans satisfy the predicate. Fails after 15 seconds. */
    async until(holds: (spans: readonly ReceivedSpan[]) => boolean) {
      const deadline = performance.now() + 15_000
      while (!holds(spans)) {
        if (performance.now() > deadline) {
          const names = spans.map(({ service, name }) => `${service} ${name}`)
          throw new TypeError(`The collector received only these spans: ${names.join(', ')}`)
        }
        await sleep(10)
      }
    },
    close,
  }
}

function spansOf({ resourceSpans }: Wire): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.name': service, 'service.instance.id': instance } = valuesOf(resource.attributes)
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes = [], events = [], ...span }) => ({
        ...{ service: String(service), instance: String(instance), traceId, spanId, parentSpanId, name, kind },
        attributes: valuesOf(attributes),
        events: events.map((event) => event.name),
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        hasFailed: span.status?.code === 2,
      })),
    )
  })
}

function valuesOf(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
