// Failures that streams and auctions survive: connections that end, break or go silent, and services that restart. One
// file, because all cases share the scripted service.

import type { ServerResponse } from 'node:http'
import { formatEventId } from '@firmquote/core/protocol'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { type SeenRequest, sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { until } from '@firmquote/test-support/until'
import { afterEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytes, rfqId, wireCollected, wireResult, wireRfq, wireSummary } from '../../test/samples.ts'
import type { ServiceClientOptions } from '../borrowerClient.ts'
import { ServiceClient } from '../serviceClient.ts'
import type { RFQAuctionEvent } from './rfqStream.ts'

const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1_000_000_000_000n }
const otherId = 'cd'.repeat(16)
const frame = (event: string, n: number, data: object) =>
  `event: ${event}\nid: ${rfqId}:${n}\ndata: ${JSON.stringify(data)}\n\n`
const quoteFrame = (n: number) => frame('quote', n, { ...wireCollected, receivedAt: wireCollected.receivedAt + n })

const nothing = { best: { hashes: [], notional: '0', cost: '0' }, ranking: [] }

/** Returns the events of an auction with this number of quotes. */
const auctionOf = (quotes: number) => [
  frame('started', 0, { ...wireRfq, backers: 3 }),
  ...Array.from({ length: quotes }, (_, index) => quoteFrame(index + 1)),
  frame('done', quotes + 1, { ...wireSummary, quoteCount: quotes, ...(quotes === 0 && nothing) }),
]
const [started = '', first = '', second = '', done = ''] = auctionOf(2)

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The client's delays between attempts with `random: () => 0`, and the delays that test services request. */
const hastyMs = new Set([100, 200, 400, 800, 1_000, 3_000, 5_000])

/**
 * A stopped clock whose delays between attempts end in the next event loop iteration. The clock recognizes these delays
 * by their length, for a client with `random: () => 0`, so a test's timeouts must differ in length.
 */
function createHastyClock(): FakeClock & { waits: number[] } {
  const clock = createFakeClock(1_767_225_600_000)
  const waits: number[] = []
  return {
    ...clock,
    waits,
    after(milliseconds, callback) {
      const cancel = clock.after(milliseconds, callback)
      if (!hastyMs.has(milliseconds)) return cancel
      waits.push(milliseconds)
      const turn = setImmediate(() => clock.advance(milliseconds))
      return () => {
        clearImmediate(turn)
        cancel()
      }
    },
  }
}

/** A stopped clock that records the lengths of its timers. */
function createRecordingClock() {
  const fake = createFakeClock()
  const waits: number[] = []
  const after: FakeClock['after'] = (milliseconds, callback) => {
    waits.push(milliseconds)
    return fake.after(milliseconds, callback)
  }
  return { clock: { ...fake, after }, waits }
}

type Step = (response: ServerResponse, seen: SeenRequest) => unknown

/** A service with scripted responses. The last step is repeated. */
async function start(steps: Step[], options: ServiceClientOptions = {}) {
  const server = await startHttpServer((seen, response, count) => {
    steps[Math.min(count, steps.length) - 1]?.(response, seen)
  })
  closers.push(server.close)
  const clock = createHastyClock()
  const client = new ServiceClient({ orderbookUrl: server.url }, { clock, random: () => 0, ...options })
  const calls = () =>
    server.seen.map(({ method, path, headers }) => [
      method,
      path.replace('/api/v1', ''),
      headers['last-event-id'] ?? null,
    ])
  return { server, client, clock, calls }
}

const write =
  (text: string): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' })
    response.flushHeaders()
    response.write(text)
  }
const end =
  (text: string): Step =>
  (response, seen) => {
    write(text)(response, seen)
    response.end()
  }
const cutOff =
  (text: string): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => response.destroy())
  }
const refuse =
  (status: number, code: string, headers = {}): Step =>
  (response) =>
    sendProblem(response, status, code, {}, headers)
const destroy: Step = (response) => response.destroy()
const soon = { 'retry-after': '1' }

async function collect(stream: AsyncIterable<RFQAuctionEvent>) {
  const ids: string[] = []
  for await (const event of stream) if (event.type !== 'progress') ids.push(event.id)
  return ids.map((id) => Number(id.split(':')[1]))
}

const opened = ['POST', '/rfq/quote/stream', null]
const resumed = (n: number) => ['GET', `/rfq/${rfqId}/stream`, `${rfqId}:${n}`]

describe('a stream', () => {
  test.each([
    ['ends', end(started + first)],
    [
      'ends with an error',
      end(started + first + frame('error', 2, { code: 'STORAGE_UNAVAILABLE', message: 'Later.' })),
    ],
  ])('default: it %s before done, and goes on after its last event', async (_how, step) => {
    const { client, calls, server, clock } = await start([step, end(second + done)])
    expect(await collect(client.streamQuotes(request))).toEqual([0, 1, 2, 3])
    expect(calls()).toEqual([opened, resumed(1)])
    expect(server.seen[1]?.headers).toMatchObject({ accept: 'text/event-stream' })
    expect(server.seen[1]?.headers['idempotency-key']).toBeUndefined()
    expect(clock.pending()).toBe(0)
  })

  test('behavior: replaces a silent connection', async () => {
    const clock = createFakeClock()
    const { client, calls } = await start([write(started), end(first + second + done)], { clock })
    const stream = client.streamQuotes(request, { idleTimeoutMs: 8_000 })
    await stream.next()
    const rest = collect(stream)
    while (calls().length === 1) {
      clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await rest).toEqual([1, 2, 3])
    expect(calls()).toEqual([opened, resumed(0)])
    expect(clock.pending()).toBe(0)
  })

  test('behavior: replaces a connection that is silent for 2 s after the close, and waits twice as long for the next', async () => {
    const { clock, waits } = createRecordingClock()
    const { client, calls } = await start([write(started), () => {}, end(first + second + done)], { clock })
    const stream = client.streamQuotes(request)
    await stream.next()
    const rest = collect(stream)
    // The auction lasts 15 s. Between the attempts, the client pauses for 100 ms and 200 ms.
    for (const [requests, wait] of [
      [1, 17_000],
      [1, 100],
      [2, 4_000],
      [2, 200],
    ] as const) {
      await until(() => waits.at(-1) === wait && calls().length === requests)
      clock.advance(wait)
    }
    expect(await rest).toEqual([1, 2, 3])
    expect(calls()).toEqual([opened, resumed(0), resumed(0)])
    expect(clock.pending()).toBe(0)
  })

  test('behavior: keeps a connection that was alive after the close', async () => {
    const { clock, waits } = createRecordingClock()
    let response: ServerResponse | undefined
    const step: Step = (given, seen) => {
      write(started)(given, seen)
      response = given
    }
    const { client, calls } = await start([step], { clock })
    const stream = client.streamQuotes(request)
    await stream.next()
    const rest = collect(stream)
    let known = 0
    for (const [wait, passes, text] of [
      [17_000, 15_000, ': alive\n\n'],
      [20_000, 19_999, first],
      [20_000, 19_999, second + done],
    ] as const) {
      await until(() => waits.length > known && waits.at(-1) === wait)
      known = waits.length
      clock.advance(passes)
      response?.write(text)
    }
    expect(await rest).toEqual([1, 2, 3])
    expect(calls()).toEqual([opened])
  })

  test('behavior: drops duplicate and late events and requests missing ones again', async () => {
    const { client, calls } = await start([
      write(started + started + second + first),
      write(started + first + first + started + second + first + done),
    ])
    expect(await collect(client.streamQuotes(request))).toEqual([0, 1, 2, 3])
    expect(calls()).toEqual([opened, resumed(0)])
  })

  test('behavior: survives restarts, proxies and Retry-After', async () => {
    const { client, calls, clock } = await start([
      end(started),
      destroy,
      refuse(503, 'OVERLOADED', soon),
      refuse(500, 'INTERNAL'),
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'),
      end(first),
      refuse(503, 'STORAGE_UNAVAILABLE', { 'retry-after': '5' }),
      end(second + done),
    ])
    expect(await collect(client.streamQuotes(request))).toEqual([0, 1, 2, 3])
    expect(calls()).toHaveLength(8)
    expect(calls().slice(-2)).toEqual([resumed(1), resumed(1)])
    expect(clock.waits).toContain(5_000)
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['until a minute after the close, when the result is asked for', undefined, 75_000, 78],
    ['for as long as it may', 30_000, 30_000, 32],
  ])('error: nothing new %s', async (_how, resumeTimeoutMs, maxMs, asked) => {
    const { client, calls, clock } = await start([cutOff(started + first), end(': hello\n\n')])
    const before = clock.monotonic()
    const events: string[] = []
    const running = (async () => {
      for await (const { type } of client.streamQuotes(request, { resumeTimeoutMs })) events.push(type)
    })()
    await expect(running).rejects.toMatchObject({ name: 'StreamError', code: 'STREAM_INTERRUPTED', rfqId })
    expect(events).toEqual(['started', 'quote'])
    // Waits of 100, 200, 400, 800 and then 1,000 ms.
    expect(calls()).toHaveLength(1 + asked)
    expect(calls().at(-1)).toEqual(resumeTimeoutMs === undefined ? ['GET', `/rfq/${rfqId}`, null] : resumed(1))
    expect(clock.monotonic() - before).toBeGreaterThan(maxMs - 2_000)
    expect(clock.monotonic() - before).toBeLessThan(maxMs)
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['after its beginning', started],
    ['after a quote', started + first],
  ])('behavior: a minute after the close the rest comes from the result: %s', async (_when, seen) => {
    const { client, clock } = await start([
      cutOff(seen),
      (response, { path }) =>
        path.endsWith('/stream')
          ? refuse(503, 'OVERLOADED', { 'retry-after': '5' })(response, {} as SeenRequest)
          : sendJson(response, 200, wireResult),
    ])
    const events: RFQAuctionEvent[] = []
    for await (const event of client.streamQuotes(request)) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'done'])
    expect(events.map((event) => 'id' in event && event.id)).toEqual(
      [0, 1, 2].map((seq) => formatEventId({ rfqId, seq })),
    )
    const best = { hashes: wireSummary.best.hashes, notional: 1_000_000_000_000n, cost: 25_000_000_000n }
    expect(events.at(-1)?.data).toEqual({ ...wireSummary, best })
    expect(clock.pending()).toBe(0)
  })

  test.each([
    [
      'opened',
      'a minute after its close',
      75_000,
      (client: ServiceClient) => client.streamQuotes(request),
      [0, 1, 2, 3],
    ],
    [
      'followed from a place',
      'a minute after the longest auction',
      660_000,
      (client: ServiceClient) => client.followAuction(rfqId, { lastEventId: `${rfqId}:1` }),
      [2, 3],
    ],
  ] as const)('behavior: a stream of comments without end, %s, ends %s with the result', async (...row) => {
    const [how, , maxMs, open, expected] = row
    const clock = createFakeClock()
    let stream: ServerResponse | undefined
    const { client, calls } = await start(
      [
        (response, seen) => {
          write(how === 'opened' ? started : ': hello\n\n')(response, seen)
          stream = response
        },
        (response) => {
          const other = { ...wireCollected, hash: bytes('9'), receivedAt: wireCollected.receivedAt + 1 }
          sendJson(response, 200, { ...wireResult, quotes: [other, wireCollected] })
        },
      ],
      { clock },
    )
    let isOver = false
    const events = collect(open(client)).finally(() => {
      isOver = true
    })
    const before = clock.monotonic()
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (!stream || calls().length > 1) continue
      stream.write(': still here\n\n')
      clock.advance(5_000)
    }
    expect(await events).toEqual(expected)
    expect(calls().at(-1)).toEqual(['GET', `/rfq/${rfqId}`, null])
    expect(clock.monotonic() - before).toBeGreaterThanOrEqual(maxMs)
    expect(clock.monotonic() - before).toBeLessThan(maxMs + 60_000)
    expect(clock.pending()).toBe(0)
  })

  test('error: the service repeats its reason', async () => {
    const error = frame('error', 1, { code: 'STORAGE_UNAVAILABLE', message: 'The result cannot be written yet.' })
    const { client, clock } = await start([end(started + error), end(error)])
    await expect(collect(client.streamQuotes(request))).rejects.toMatchObject({
      code: 'STREAM_INTERRUPTED',
      rfqId,
      cause: expect.objectContaining({
        name: 'StreamError',
        code: 'STORAGE_UNAVAILABLE',
        shortMessage: 'The result cannot be written yet.',
      }),
    })
    expect(clock.pending()).toBe(0)
  })

  test('error: a service that does not answer gets only the remaining time', async () => {
    const clock = createFakeClock()
    const limits: number[] = []
    const watched = {
      ...clock,
      after(ms: number, callback: () => void) {
        limits.push(ms)
        return clock.after(ms, callback)
      },
    }
    const { client, calls } = await start([end(started), () => {}], { clock: watched })
    const stream = client.streamQuotes(request, { resumeTimeoutMs: 5_000 })
    await stream.next()
    let isOver = false
    const next = stream.next().finally(() => {
      isOver = true
    })
    next.catch(() => {})
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    for (let turns = 0; !limits.includes(100) && turns < 100_000; turns++) await turn()
    clock.advance(100)
    for (let turns = 0; calls().length === 1 && turns < 100_000; turns++) await turn()
    clock.advance(4_899)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(isOver).toBe(false)
    clock.advance(1)
    await expect(next).rejects.toMatchObject({
      code: 'STREAM_INTERRUPTED',
      rfqId,
      cause: expect.objectContaining({ code: 'TIMEOUT', timeoutMs: 4_900 }),
    })
    expect(clock.pending()).toBe(0)
  })

  test('behavior: a new event resets the timeout', async () => {
    const quotes = 6
    const texts = auctionOf(quotes)
    let count = 0
    const { client, clock } = await start([
      (response, seen) => {
        // Two failures of 5 s before each event.
        if (seen.method === 'GET' && count++ % 3 !== 2)
          return refuse(503, 'OVERLOADED', { 'retry-after': '5' })(response, seen)
        const at = seen.method === 'GET' ? Number(seen.headers['last-event-id']?.toString().split(':')[1]) + 1 : 0
        return end(texts[at] ?? '')(response, seen)
      },
    ])
    const before = clock.monotonic()
    expect(await collect(client.streamQuotes(request, { resumeTimeoutMs: 11_500 }))).toHaveLength(quotes + 2)
    expect(clock.monotonic() - before).toBeGreaterThan(60_000)
  })

  test('behavior: a live connection uses up no time, however often it is cut', async () => {
    const clock = createFakeClock()
    const responses: ServerResponse[] = []
    const { client } = await start(
      [
        write(started),
        (response, seen) => {
          write(': hello\n\n')(response, seen)
          responses.push(response)
        },
      ],
      { clock },
    )
    const stream = client.streamQuotes(request, { resumeTimeoutMs: 10_000 })
    await stream.next()
    const rest = collect(stream)
    rest.catch(() => {})
    const turn = () => new Promise((resolve) => setTimeout(resolve, 2))
    await turn()
    clock.advance(20_000)
    // Three connections, each lasting 15 s without an event.
    for (let line = 0; line < 3; line++) {
      for (let turns = 0; responses.length === line && turns < 100; turns++) {
        await turn()
        if (clock.pending() > 0) clock.advance(100)
      }
      for (let sendHeartbeat = 0; sendHeartbeat < 3; sendHeartbeat++) {
        await turn()
        clock.advance(5_000)
        responses[line]?.write(': still here\n\n')
        await turn()
      }
      if (line < 2) responses[line]?.destroy()
      else responses[line]?.end(first + second + done)
    }
    expect(await rest).toEqual([1, 2, 3])
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['the auction is gone', refuse(404, 'RFQ_NOT_FOUND'), 'RFQ_NOT_FOUND'],
    ['the service does not know the endpoint', refuse(404, 'NOT_FOUND'), 'NOT_FOUND'],
    ['too many requests', refuse(429, 'RATE_LIMITED', soon), 'RATE_LIMITED'],
  ])('error: %s: not asked for again, and the id is not lost', async (_what, step, code) => {
    const { client, calls } = await start([end(started), step])
    await expect(collect(client.streamQuotes(request))).rejects.toMatchObject({
      code: 'STREAM_INTERRUPTED',
      rfqId,
      cause: expect.objectContaining({ code }),
    })
    expect(calls()).toHaveLength(2)
  })

  test.each([
    ['while it waits to try again', end(started), 1],
    ['while it waits for an answer', (() => {}) as Step, 2],
    ['while it listens', write(': hello\n\n'), 2],
  ])('error: aborted %s', async (_when, step, lines) => {
    const controller = new AbortController()
    const clock = createFakeClock()
    const { client, calls } = await start([end(started), step], { clock })
    const stream = client.streamQuotes(request, { signal: controller.signal })
    await stream.next()
    const next = stream.next()
    next.catch(() => {})
    while (clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve))
    while (calls().length < lines) {
      clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort('enough')
    await expect(next).rejects.toMatchObject({ code: 'ABORTED', sent: 'maybe', cause: 'enough' })
    expect(clock.pending()).toBe(0)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })
})

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

test(`behavior: each event once and in order, wherever lines are cut and whatever is sent twice (seed ${seed})`, async () => {
  const step = fc.record({
    /** Where the connection is cut, in thousandths of the response. */
    at: fc.noBias(fc.integer({ min: 0, max: 1_000 })),
    breaks: fc.boolean(),
    /** Number of events before the requested position that are sent again. */
    back: fc.nat(3),
    beats: fc.boolean(),
    crlf: fc.boolean(),
  })
  const reached = { cuts: 0, inEvents: 0, repeated: 0, unnamed: 0, resumed: 0 }
  let texts: string[] = []
  let script: (typeof step extends fc.Arbitrary<infer T> ? T : never)[] = []
  const server = await startHttpServer((seen, response) => {
    const next = script.shift()
    const last = seen.headers['last-event-id']?.toString()
    const from = last === undefined ? 0 : Number(last.split(':')[1]) + 1
    const sent = texts.slice(Math.max(0, from - (next?.back ?? 0)))
    let whole = sent.join(next?.beats ? ': sendHeartbeat\n\n' : '')
    if (next?.crlf) whole = whole.replaceAll('\n', '\r\n')
    const text = Buffer.from(whole)
    const cut = next ? Math.floor((next.at * text.length) / 1_000) : text.length
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (seen.method === 'GET') reached.resumed += 1
    if (next) {
      reached.cuts += 1
      if (!/\n\r?\n$/.test(text.subarray(0, cut).toString())) reached.inEvents += 1
      if (next.back > 0 && from > 0) reached.repeated += 1
      if (seen.method === 'POST' && cut < (texts[0]?.length ?? 0)) reached.unnamed += 1
    }
    if (cut === 0) return void (next?.breaks ? response.destroy() : response.end())
    response.write(text.subarray(0, cut), () => (next?.breaks ? response.destroy() : response.end()))
  })
  closers.push(server.close)
  await fc.assert(
    fc.asyncProperty(fc.nat(5), fc.array(step, { maxLength: 6, size: 'max' }), async (quotes, steps) => {
      const clock = createHastyClock()
      const client = new ServiceClient({ orderbookUrl: server.url }, { clock, random: () => 0 })
      texts = auctionOf(quotes)
      script = [...steps]
      const before = server.seen.length
      const seqs = await collect(client.streamQuotes(request))
      expect(seqs).toEqual(texts.map((_, index) => index))
      expect(clock.pending()).toBe(0)
      const keys = server.seen.slice(before).filter(({ method }) => method === 'POST')
      expect(new Set(keys.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    }),
    { seed, numRuns: 150 },
  )
  for (const [what, count] of Object.entries(reached)) if (count < 10) throw new Error(`only ${count} ${what}`)
}, 30_000)

describe('followAuction', () => {
  test('default: all events of an auction, by its id', async () => {
    const { client, calls } = await start([end(started + first), end(second + done)])
    expect(await collect(client.followAuction(rfqId))).toEqual([0, 1, 2, 3])
    expect(calls()).toEqual([['GET', `/rfq/${rfqId}/stream`, null], resumed(1)])
  })

  test('behavior: the events after the last one seen', async () => {
    const { client, calls } = await start([end(started + first + second + done)])
    const lastEventId = formatEventId({ rfqId, seq: 1 })
    expect(await collect(client.followAuction(rfqId, { lastEventId }))).toEqual([2, 3])
    expect(calls()).toEqual([resumed(1)])
  })

  test('behavior: a restarting service', async () => {
    const { client, calls } = await start([
      destroy,
      refuse(503, 'OVERLOADED', soon),
      end(started + first + second + done),
    ])
    expect(await collect(client.followAuction(rfqId))).toEqual([0, 1, 2, 3])
    expect(calls()).toHaveLength(3)
  })

  test('error: there is no such auction', async () => {
    const { client, calls } = await start([refuse(404, 'RFQ_NOT_FOUND')])
    await expect(collect(client.followAuction(rfqId))).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'RFQ_NOT_FOUND',
      status: 404,
    })
    expect(calls()).toHaveLength(1)
  })

  test.each([
    ['no id', 'x', undefined, 'rfqId'],
    ['an id in capitals', 'AB'.repeat(16), undefined, 'rfqId'],
    ['the id of no event', rfqId, 'x', 'lastEventId'],
    ['an event of another auction', rfqId, `${otherId}:1`, 'lastEventId'],
    ['a number', rfqId, 1, 'lastEventId'],
  ])('error: %s is refused at once', async (_what, id, lastEventId, path) => {
    const { client, server } = await start([end(started)])
    expect(() => client.followAuction(id as never, { lastEventId: lastEventId as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
    expect(server.seen).toEqual([])
  })
})

describe('the key of an auction', () => {
  const everything = end(started + first + second + done)
  const result: Step = (response) => sendJson(response, 200, wireResult)
  const keys = (server: { seen: SeenRequest[] }) => server.seen.map(({ headers }) => headers['idempotency-key'])

  test('default: 128 random bits, new for each call', async () => {
    const { client, server } = await start([result, everything, result])
    await client.requestQuotes(request)
    await collect(client.streamQuotes(request))
    await client.requestQuotes(request)
    for (const key of keys(server)) expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys(server)).size).toBe(3)
  })

  test('behavior: other calls have no key', async () => {
    const { client, server } = await start([result])
    await client.getRfq(rfqId)
    expect(keys(server)).toEqual([undefined])
  })

  test("behavior: the caller's own", async () => {
    const { client, server } = await start([result, everything])
    const idempotencyKey = 'n4bQgYhMfWWaL-qgxVrQ_Q'
    await client.requestQuotes(request, { idempotencyKey })
    await collect(client.streamQuotes(request, { idempotencyKey }))
    expect(keys(server)).toEqual([idempotencyKey, idempotencyKey])
  })

  test.each(['', 'order-1', 'a'.repeat(32), 5, null])('error: %j is none, and is not shown', async (bad) => {
    const { client, server } = await start([result])
    const options = { idempotencyKey: bad as never }
    const refused = { code: 'INVALID_INPUT', path: 'idempotencyKey' }
    await expect(client.requestQuotes(request, options)).rejects.toMatchObject(refused)
    expect(() => client.streamQuotes(request, options)).toThrow(expect.objectContaining(refused))
    const error = await client.requestQuotes(request, options).catch((caught: unknown) => caught)
    if (bad === 'order-1') expect(String(error)).not.toContain(bad)
    expect(server.seen).toEqual([])
  })

  test('behavior: repeats the request with the same key until the service is back', async () => {
    const failures = [
      destroy,
      refuse(503, 'OVERLOADED', soon),
      refuse(503, 'STORAGE_UNAVAILABLE', soon),
      refuse(503, 'CHAIN_UNAVAILABLE', soon),
      ((response) => response.writeHead(502).end('<html>')) as Step,
      destroy,
    ]
    for (const [last, call] of [
      [result, (client: ServiceClient) => client.requestQuotes(request)],
      [everything, (client: ServiceClient) => collect(client.streamQuotes(request))],
    ] as const) {
      const { client, server, clock } = await start([...failures, last])
      await call(client)
      expect(server.seen).toHaveLength(7)
      expect(new Set(keys(server)).size).toBe(1)
      expect(new Set(server.seen.map(({ body, path }) => body + path)).size).toBe(1)
      expect(clock.pending()).toBe(0)
    }
  })

  test('error: a stream that never starts: it is unknown whether an auction was opened', async () => {
    const { client, server, clock } = await start([end('')])
    await expect(collect(client.streamQuotes(request))).rejects.toMatchObject({
      name: 'StreamError',
      code: 'STREAM_INTERRUPTED',
      rfqId: null,
    })
    expect(server.seen).toHaveLength(7)
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['requestQuotes', (client: ServiceClient) => client.requestQuotes(request)],
    ['streamQuotes', (client: ServiceClient) => client.streamQuotes(request).next()],
  ])('error: %s says what failed at last, and that an earlier try may have got through', async (_what, call) => {
    let close = async () => {}
    const { client, server } = await start([
      (response) => {
        response.destroy()
        void close()
      },
    ])
    close = server.close
    const error = { name: 'ConnectionError', sent: 'maybe' }
    await expect(call(client)).rejects.toMatchObject(error)
    expect(server.seen).toHaveLength(1)
    // From here on, no server is listening.
    await expect(call(client)).rejects.toMatchObject({ ...error, sent: 'no' })
  })

  test.each([
    ['requestQuotes', (client: ServiceClient, signal: AbortSignal) => client.requestQuotes(request, { signal })],
    ['streamQuotes', (client: ServiceClient, signal: AbortSignal) => client.streamQuotes(request, { signal }).next()],
  ])('error: %s, aborted between two tries', async (_what, call) => {
    const controller = new AbortController()
    const clock = createFakeClock()
    const { client, server } = await start([refuse(503, 'OVERLOADED', { 'retry-after': '3' })], { clock })
    const running = call(client, controller.signal)
    running.catch(() => {})
    while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'ABORTED', sent: 'maybe' })
    clock.advance(60_000)
    expect(server.seen).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  test('error: opening takes too long, including retries', async () => {
    const { client, server } = await start([refuse(503, 'OVERLOADED', { 'retry-after': '3' })])
    await expect(client.streamQuotes(request, { timeoutMs: 9_500 }).next()).rejects.toMatchObject({
      code: 'OVERLOADED',
    })
    expect(server.seen).toHaveLength(4)
  })
})
