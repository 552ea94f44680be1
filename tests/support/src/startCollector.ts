import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as the collector has got it. */
export type ReceivedSpan = {
  /** `service.name` and `service.instance.id` of the program that has sent it. */
  service: string
  instance: string
  traceId: string
  spanId: string
  /** Empty for the first one of a trace. */
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  events: string[]
  /** Nanoseconds. */
  start: bigint
  end: bigint
  hasFailed: boolean
}

/** Takes traces by OTLP over HTTP as JSON. */
export type Collector = {
  url: string
  spans: readonly ReceivedSpan[]
  /** The bodies, as they came. */
  texts: readonly string[]
  /** The headers of each request. */
  headers: readonly IncomingMessage['headers'][]
  /** Waits until the spans are such; fails after 15 s. */
  until(holds: (spans: readonly ReceivedSpan[]) => boolean): Promise<void>
  close(): Promise<void>
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type Attributes = readonly { key: string; value: Value }[]
type WireSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes?: Attributes
  events?: readonly { name: string }[]
  status?: { code?: number }
}
type Wire = {
  resourceSpans: readonly {
    resource: { attributes: Attributes }
    scopeSpans: readonly { spans: readonly WireSpan[] }[]
  }[]
}

const longestWaitMs = 15_000

/** Starts a collector on a free port. `answer` may answer otherwise than that all were taken. */
export async function startCollector(
  answer: (res: ServerResponse, req: IncomingMessage) => void = (res) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const listeners = new Set<() => void>()
  const server = createServer((req, res) => {
    void (async () => {
      let text = ''
      for await (const chunk of req) text += chunk
      if (req.method !== 'POST' || req.url !== '/v1/traces') return void res.writeHead(404).end()
      texts.push(text)
      headers.push(req.headers)
      spans.push(...spansOf(JSON.parse(text) as Wire))
      answer(res, req)
      for (const listener of [...listeners]) listener()
    })().catch(() => res.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    headers,
    until: (holds) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!holds(spans)) return
          listeners.delete(look)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          listeners.delete(look)
          reject(
            new TypeError(
              `These spans have come: ${spans.map(({ service, name }) => `${service} ${name}`).join(', ')}`,
            ),
          )
        }, longestWaitMs)
        listeners.add(look)
        look()
      }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
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
