import { type Collector, startCollector } from '@firmquote/test-support/startCollector'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createOpenTelemetry, type OpenTelemetryOptions } from './openTelemetry.ts'
import type { Tracing } from './tracing.ts'
import type { TraceSampler } from './tracingSettings.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const stranger = (flags: string) => `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`
const always: TraceSampler = { share: 1, followsParent: true }

async function start(
  { sampler = always, ...options }: Partial<OpenTelemetryOptions> & { sampler?: TraceSampler } = {},
  answer?: Parameters<typeof startCollector>[0],
): Promise<{ tracing: Tracing; collector: Collector; told: object[] }> {
  const collector = await startCollector(answer)
  closers.push(collector.close)
  const told: object[] = []
  const note = (facts: object) => void told.push(facts)
  const tracing = createOpenTelemetry(
    { url: `${collector.url}/v1/traces`, headers: { 'x-key': 'k' }, serviceName: 'tested', sampler },
    { version: '1.2.3', log: { info: note, warn: note }, ...{ batchMs: 10, sendMs: 300, closeMs: 600 }, ...options },
  )
  closers.unshift(tracing.close)
  return { tracing, collector, told }
}

test("default: steps are children of their request and continue the caller's trace", async () => {
  const { tracing, collector } = await start()
  const span = tracing.begin('request', { kind: 'server', parent: stranger('01'), attributes: { route: '/x' } })
  span?.past('decode', tracing.now() - 5)
  const value = await tracing.run(span, () =>
    tracing.step('outer', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return tracing.step('inner', async (inner) => inner?.traceparent, { kind: 'client', attributes: { n: 1 } })
    }),
  )
  span?.event('told')
  span?.end()
  await collector.until((spans) => spans.length === 4)
  const by = (name: string) => collector.spans.find((one) => one.name === name)
  const [request, decode, outer, inner] = ['request', 'decode', 'outer', 'inner'].map(by)
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(Array(4).fill('4bf92f3577b34da6a3ce929d0e0e4736'))
  expect(request).toMatchObject({
    ...{ service: 'tested', parentSpanId: '00f067aa0ba902b7', kind: 2, events: ['told'], hasFailed: false },
    attributes: { route: '/x' },
  })
  expect([decode?.parentSpanId, outer?.parentSpanId]).toEqual([request?.spanId, request?.spanId])
  expect(inner).toMatchObject({ parentSpanId: outer?.spanId, kind: 3, attributes: { n: 1 } })
  expect(value).toBe(`00-${inner?.traceId}-${inner?.spanId}-01`)
  expect(Number((decode?.end ?? 0n) - (decode?.start ?? 0n))).toBeGreaterThanOrEqual(4_000_000)
  expect(collector.requests[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' })
})

test('error: a failed step records the name of its error, never its message', async () => {
  const { tracing, collector } = await start()
  const span = tracing.begin('request', { kind: 'server' })
  const work = tracing.run(span, () => tracing.step('step', () => Promise.reject(new RangeError('the key is 0xabc'))))
  await expect(work).rejects.toThrow('0xabc')
  span?.end()
  await collector.until((spans) => spans.length === 2)
  expect(collector.spans[0]).toMatchObject({
    name: 'step',
    hasFailed: true,
    attributes: { 'error.type': 'RangeError' },
  })
  expect(collector.requests.map(({ body }) => body).join()).not.toContain('0xabc')
})

test('behavior: without a trace, work runs without a span', async () => {
  const { tracing } = await start()
  const seen = await tracing.step('step', async (span) => [span, tracing.current()])
  expect(seen).toEqual([null, null])
  const span = tracing.begin('request', { kind: 'server' })
  expect(tracing.run(span, () => tracing.run(null, () => tracing.current()))).toBeNull()
  expect(tracing.run(span, () => tracing.current())).toBe(span)
  span?.end()
})

describe('what is written', () => {
  const begins = (tracing: Tracing, parent?: string, isOwn?: boolean) => {
    const span = tracing.begin('request', { kind: 'server', parent, ...(isOwn && { isOwn }) })
    span?.end()
    return span !== null
  }

  test('behavior: an outside caller can opt out of tracing, but not in', async () => {
    const { tracing } = await start({ sampler: { share: 0.5, followsParent: true }, random: () => 0.5 })
    expect([begins(tracing), begins(tracing, stranger('01')), begins(tracing, stranger('00'))]).toEqual([
      false,
      false,
      false,
    ])
    const { tracing: other } = await start({ sampler: { share: 0.5, followsParent: true }, random: () => 0.49 })
    expect([begins(other), begins(other, stranger('01')), begins(other, stranger('00'))]).toEqual([true, true, false])
  })

  test('behavior: a sampler that ignores the parent also ignores an opt-out', async () => {
    const { tracing } = await start({ sampler: { share: 1, followsParent: false } })
    expect(begins(tracing, stranger('00'))).toBe(true)
  })

  test('behavior: an own trace keeps its sampling decision', async () => {
    const { tracing } = await start({ sampler: { share: 0, followsParent: false } })
    expect([begins(tracing, stranger('01'), true), begins(tracing, stranger('00'), true)]).toEqual([true, false])
    expect(begins(tracing, undefined, true)).toBe(false)
  })

  test('behavior: outside requests are bounded and leave budget for running traces', async () => {
    const { tracing, told, collector } = await start({ budget: { perSecond: 1e-9, burst: 100 } })
    const written = Array.from({ length: 10_000 }, () => begins(tracing, stranger('01'))).filter(Boolean).length
    expect(written).toBe(51)
    expect(begins(tracing, stranger('01'), true)).toBe(true)
    expect(told).toEqual([{ requests: 1 }])
    await tracing.close()
    expect(told).toEqual([{ requests: 1 }, { requests: 9_948 }])
    expect(collector.spans).toHaveLength(52)
  })
})

describe('a collector that', () => {
  const write = (tracing: Tracing, count: number) => {
    for (let written = 0; written < count; written += 1) tracing.begin('request', { kind: 'server' })?.end()
  }

  test('error: is unreachable does not delay the shutdown', async () => {
    const { tracing, collector } = await start()
    await collector.close()
    write(tracing, 600)
    const startedAt = performance.now()
    await tracing.close()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('error: never answers fills a bounded queue and does not delay the shutdown', async () => {
    const { tracing, told, collector } = await start(
      { maxQueueSize: 600, budget: { perSecond: 1e6, burst: 1e6 } },
      () => {},
    )
    write(tracing, 2_000)
    expect(told).toEqual([{ spans: 1, cause: 'QUEUE_FULL' }])
    const startedAt = performance.now()
    await tracing.close()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(collector.spans.length).toBeLessThanOrEqual(600)
  })

  test.each<[string, NonNullable<Parameters<typeof startCollector>[0]>]>([
    ['answers without end', (res) => void endless(res.writeHead(500))],
    ['sends elsewhere', (res, req) => void res.writeHead(307, { location: `http://${req.headers.host}/other` }).end()],
    ['breaks off', (res) => void res.destroy()],
    ['answers with garbage', (res) => void res.writeHead(200).end('\u0000{]')],
    ['asks for a year of patience', (res) => void res.writeHead(503, { 'retry-after': '31536000' }).end()],
  ])('error: %s does no harm', async (_, answer) => {
    const { tracing, collector } = await start({}, answer)
    write(tracing, 3)
    await collector.until((spans) => spans.length >= 3)
    const startedAt = performance.now()
    await tracing.close()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    // No spans were sent to any other collector.
    expect(collector.requests.length).toBeGreaterThan(0)
  })
})

function endless(res: import('node:http').ServerResponse): void {
  const more = () => {
    while (!res.destroyed && res.write(Buffer.alloc(65_536))) {
      // Keep writing until the socket buffer is full.
    }
  }
  res.on('drain', more)
  more()
}
