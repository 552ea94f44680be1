import { expect, test } from '@jest/globals'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { createSpanDelivery } from './spanDelivery.ts'

type Done = Parameters<SpanExporter['export']>[1]

function start({ sendMs = 60_000 } = {}) {
  const clock = { ms: 0 }
  const told: object[] = []
  const sent: { spans: ReadableSpan[]; done: Done }[] = []
  const passed: ReadableSpan[] = []
  let cuts = 0
  const note = (facts: object) => void told.push(facts)
  const delivery = createSpanDelivery(
    { export: (spans, done) => void sent.push({ spans, done }), shutdown: async () => {} },
    {
      log: { info: note, warn: note },
      now: () => clock.ms,
      sendMs,
      maxQueueSize: 3,
      closeConnections: () => (cuts += 1),
    },
  )
  const processor = delivery.limitQueue({
    onEnd: (span) => passed.push(span),
  } as Partial<SpanProcessor> as SpanProcessor)
  const end = (count: number) => {
    for (let ended = 0; ended < count; ended += 1) processor.onEnd({} as ReadableSpan)
  }
  return { clock, told, sent, passed, delivery, end, cuts: () => cuts }
}

/** Sends the spans that passed through the queue as one batch. */
function send({ passed, delivery }: ReturnType<typeof start>): Promise<Parameters<Done>[0]> {
  return new Promise((resolve) => delivery.exporter.export(passed.splice(0), resolve))
}

test('default: exported spans free the queue', async () => {
  const parts = start()
  parts.end(3)
  const result = send(parts)
  parts.sent[0]?.done({ code: 0 })
  expect(await result).toEqual({ code: 0 })
  parts.end(3)
  expect(parts.passed).toHaveLength(3)
  expect(parts.told).toEqual([])
})

test('behavior: spans being sent count against the limit, and excess spans are lost', () => {
  const parts = start()
  parts.end(3)
  void send(parts)
  parts.end(2)
  expect(parts.passed).toEqual([])
  expect(parts.told).toEqual([{ spans: 1, cause: 'QUEUE_FULL' }])
})

test('behavior: losses are reported immediately, then once a minute with their number', async () => {
  const parts = start()
  const fail = async (spans: number, error: Error) => {
    parts.end(spans)
    const result = send(parts)
    parts.sent.pop()?.done({ code: 1, error })
    await result
  }
  const refused = Object.assign(new Error('the key is 0xabc'), { code: 503 })
  await fail(2, refused)
  expect(parts.told).toEqual([{ spans: 2, cause: 503 }])
  for (let second = 1; second < 60; second += 1) {
    parts.clock.ms = second * 1_000
    await fail(1, refused)
  }
  expect(parts.told).toHaveLength(1)
  parts.clock.ms = 60_000
  await fail(1, Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  expect(parts.told.slice(1)).toEqual([{ spans: 60, cause: 'ECONNREFUSED' }])
  await fail(1, new TypeError('secret'))
  parts.delivery.close()
  expect(parts.told.slice(2)).toEqual([{ spans: 1, cause: 'TypeError' }])
})

test('behavior: an unanswered batch times out, its connection is closed, and a late answer changes nothing', async () => {
  const parts = start({ sendMs: 5 })
  parts.end(3)
  expect(await send(parts)).toEqual({ code: 1 })
  expect([parts.told, parts.cuts()]).toEqual([[{ spans: 3, cause: 'TIMEOUT' }], 1])
  parts.sent[0]?.done({ code: 0 })
  // If the late response counted, it would free three more queue slots.
  parts.end(4)
  expect(parts.passed).toHaveLength(3)
})

test('behavior: untraced requests are reported separately, at the same rate', () => {
  const { delivery, told, clock } = start()
  for (let left = 0; left < 5; left += 1) delivery.countSkipped()
  clock.ms = 60_000
  delivery.countSkipped()
  expect(told).toEqual([{ requests: 1 }, { requests: 5 }])
})
