import type { ServerResponse } from 'node:http'
import type { RfqId } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { sendJson, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, describe, expect, test } from '@jest/globals'
import { bytes, quote, rfqId, wireCollected, wireQuote, wireResult, wireRfq, wireSummary } from '../../test/samples.ts'
import type { ServiceClientOptions } from '../borrowerClient.ts'
import { ServiceClient } from '../serviceClient.ts'
import type { RFQAuctionEvent } from './rfqStream.ts'

const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1_000_000_000_000n }
const frame = (event: string, n: number, data: object) =>
  `event: ${event}\nid: ${rfqId}:${n}\ndata: ${JSON.stringify(data)}\n\n`
const started = frame('started', 0, { ...wireRfq, backers: 3 })
const quoted = frame('quote', 1, wireCollected)
const done = frame('done', 2, wireSummary)
const doneAtOnce = frame('done', 1, {
  ...wireSummary,
  quoteCount: 0,
  best: { hashes: [], notional: '0', cost: '0' },
  ranking: [],
})

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(write: (response: ServerResponse) => void, options: ServiceClientOptions = {}) {
  const closed: Promise<void>[] = []
  const server = await startHttpServer((seen, response) => {
    if (seen.method === 'GET') return sendJson(response, 200, wireResult)
    closed.push(new Promise((resolve) => response.on('close', resolve)))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' })
    response.flushHeaders()
    write(response)
  })
  closers.push(server.close)
  return { server, closed, client: new ServiceClient({ orderbookUrl: server.url }, options) }
}

async function collect(stream: AsyncIterable<RFQAuctionEvent>) {
  const events: RFQAuctionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('streamQuotes', () => {
  test('default: started, quotes as they arrive, done', async () => {
    const { server, client } = await start((response) => {
      response.write(`: hello\n\n${started}`)
      response.write(quoted)
      response.end(done)
    })
    const events = await collect(client.streamQuotes(request))
    const best = { hashes: wireSummary.best.hashes, notional: 1_000_000_000_000n, cost: 25_000_000_000n }
    expect(events).toEqual([
      {
        type: 'started',
        id: `${rfqId}:0`,
        data: { ...wireRfq, notional: 1_000_000_000_000n, backers: 3 },
      },
      {
        type: 'quote',
        id: `${rfqId}:1`,
        data: { ...wireCollected, quote: { ...quote, signature: wireQuote.signature } },
      },
      { type: 'done', id: `${rfqId}:2`, data: { ...wireSummary, best } },
    ])
    expect(server.seen[0]?.headers.accept).toBe('text/event-stream')
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ ...request, notional: '1000000000000' })
  })

  test('behavior: yields each event before the next is sent', async () => {
    let response: ServerResponse | undefined
    const { client } = await start((opened) => {
      response = opened
      opened.write(started)
    })
    const stream = client.streamQuotes(request)
    expect(await stream.next()).toMatchObject({ done: false, value: { type: 'started' } })
    response?.write(quoted)
    expect(await stream.next()).toMatchObject({ value: { type: 'quote' } })
    response?.write(done)
    expect(await stream.next()).toMatchObject({ value: { type: 'done' } })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })

  test('behavior: one byte at a time, with CRLF and letters beyond ASCII', async () => {
    const { client } = await start((response) => {
      const text = Buffer.from(
        `: größer €\r\n\r\n${started}${quoted}${done}`.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'),
      )
      response.socket?.setNoDelay(true)
      const next = (at: number) => {
        if (at < text.length) response.write(text.subarray(at, at + 1), () => next(at + 1))
        else response.end()
      }
      next(0)
    })
    expect((await collect(client.streamQuotes(request))).map(({ type }) => type)).toEqual(['started', 'quote', 'done'])
  })

  test('behavior: sends nothing before the first iteration', async () => {
    const { server, client } = await start((response) => response.end(started))
    const stream = client.streamQuotes(request)
    await new Promise((resolve) => setImmediate(resolve))
    expect(server.seen).toEqual([])
    await stream.return()
    expect(server.seen).toEqual([])
  })

  test('behavior: leaving the loop ends the request', async () => {
    const { client, closed } = await start((response) => response.write(started))
    for await (const event of client.streamQuotes(request)) {
      expect(event.type).toBe('started')
      break
    }
    await closed[0]
  })

  test('behavior: the stream ends after done, even if the service holds the line', async () => {
    const { client, closed } = await start((response) => response.write(started + doneAtOnce + quoted))
    expect(await collect(client.streamQuotes(request))).toHaveLength(2)
    await closed[0]
  })

  test('behavior: yields progress between numbered events, but not before the first one', async () => {
    const counts = { answered: 1, expected: 3, backers: 8 }
    const progress = `event: progress\ndata: ${JSON.stringify(counts)}\n\n`
    const { client } = await start((response) =>
      response.end(progress + started + progress + progress + quoted + progress + done),
    )
    const events = await collect(client.streamQuotes(request))
    const types = ['started', 'progress', 'progress', 'quote', 'progress', 'done']
    expect(events.map(({ type }) => type)).toEqual(types)
    expect(events[1]).toEqual({ type: 'progress', data: counts })
  })

  test('behavior: skips events of unknown types', async () => {
    const { client } = await start((response) =>
      response.end(`${frame('news', 0, { any: 1 })}data: x\n\n${started}${doneAtOnce}`),
    )
    expect(await collect(client.streamQuotes(request))).toHaveLength(2)
  })

  test.each([
    ['ends', (response: ServerResponse) => response.end(started + quoted)],
    ['breaks', (response: ServerResponse) => response.write(started + quoted, () => response.destroy())],
  ])('error: the line %s and shall not be resumed; the id still gets the result', async (_how, write) => {
    const { client, server } = await start(write)
    const events: RFQAuctionEvent[] = []
    let error: { rfqId: RfqId } | undefined
    try {
      for await (const event of client.streamQuotes(request, { resumeTimeoutMs: 0 })) events.push(event)
    } catch (thrown) {
      error = thrown as { rfqId: RfqId }
    }
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote'])
    expect(error).toMatchObject({ name: 'StreamError', code: 'STREAM_INTERRUPTED', rfqId })
    expect(server.seen).toHaveLength(1)
    expect(await client.getRfq(error?.rfqId as RfqId)).toMatchObject({ status: 'closed', rfqId })
  })

  test("error: silence; the caller's own time does not count", async () => {
    const clock = createFakeClock()
    const { client } = await start((response) => response.write(started), { clock })
    const stream = client.streamQuotes(request, { idleTimeoutMs: 1_000, resumeTimeoutMs: 0 })
    await stream.next()
    clock.advance(60_000)
    const next = stream.next()
    next.catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1_000)
    await expect(next).rejects.toMatchObject({
      code: 'STREAM_INTERRUPTED',
      rfqId,
      cause: expect.objectContaining({ code: 'TIMEOUT' }),
    })
    expect(clock.pending()).toBe(0)
  })

  test('error: aborted in the middle', async () => {
    const controller = new AbortController()
    const { client, closed } = await start((response) => response.write(started))
    const stream = client.streamQuotes(request, { signal: controller.signal })
    await stream.next()
    controller.abort()
    await expect(stream.next()).rejects.toMatchObject({ code: 'ABORTED' })
    await closed[0]
  })

  test.each([
    ['an event that is not JSON', 'event: started\ndata: {\n\n'],
    ['an event of another shape', 'event: quote\ndata: {"hash":"0x"}\n\n'],
    ['an event without an id', `event: started\ndata: ${JSON.stringify({ ...wireRfq, backers: 3 })}\n\n`],
    ['an event with the id of no event', started.replace(`${rfqId}:0`, rfqId)],
    ['a beginning that is not the first', frame('started', 1, { ...wireRfq, backers: 3 })],
    ['a quote that is the first', frame('quote', 0, wireCollected)],
    ['an event of another auction', started + quoted.replace(rfqId, 'cd'.repeat(16))],
    ['the close of another auction', started + frame('done', 1, { ...wireSummary, rfqId: 'cd'.repeat(16) })],
    ['an event without end', `event: started\ndata: ${'x'.repeat(1_100_000)}`],
  ])('error: %s', async (_what, text) => {
    const { client, closed } = await start((response) => response.write(text))
    await expect(collect(client.streamQuotes(request))).rejects.toMatchObject({
      code: 'INVALID_RESPONSE',
      requestId: 'r-1',
    })
    await closed[0]
  })

  test('error: a response that is not a stream', async () => {
    const server = await startHttpServer((_seen, response) => sendJson(response, 200, wireResult))
    closers.push(server.close)
    const client = new ServiceClient({ orderbookUrl: server.url })
    await expect(collect(client.streamQuotes(request))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })
})
