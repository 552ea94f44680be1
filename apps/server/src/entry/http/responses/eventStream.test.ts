import { once } from 'node:events'
import { connect } from 'node:net'
import type { CollectedQuote, RFQStreamEvent } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../../../test/listenForTest.ts'
import { createScriptedAuction, createScriptedService, testDomain, testRfq } from '../../../../test/scriptedService.ts'

const body = JSON.stringify({ poolId: testRfq.poolId, seriesKey: testRfq.seriesKey, notional: '1000000' })
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body }

const quote: CollectedQuote = {
  hash: `0x${'55'.repeat(32)}`,
  quote: {
    maker: '0x1111111111111111111111111111111111111111',
    taker: '0x0000000000000000000000000000000000000000',
    poolId: testRfq.poolId,
    seriesKey: testRfq.seriesKey,
    notional: 2n ** 255n,
    vrtAmount: 5n,
    nonce: 0n,
    deadline: 1_800_000_000n,
    salt: `0x${'66'.repeat(32)}`,
    signature: `0x${'77'.repeat(65)}`,
  },
  apr: 5.25,
  receivedAt: 1_100,
}
const quoted: RFQStreamEvent = { type: 'quote', id: `${testRfq.rfqId}:1`, data: quote }
const done: RFQStreamEvent = {
  type: 'done',
  id: `${testRfq.rfqId}:2`,
  data: { rfqId: testRfq.rfqId, closedAt: 1_300, quoteCount: 1, rejectedCount: 0, ranking: [quote.hash] },
}

let running: ListeningServer | undefined
afterEach(() => running?.close())

async function startWith(limits: Parameters<typeof listenForTest>[0]['limits'] = {}) {
  const auction = createScriptedAuction()
  const { service } = createScriptedService({ hub: { open: async () => ({ ok: true, value: auction }) } })
  running = await listenForTest({ service, domain: testDomain, limits })
  return { auction, server: running }
}

test('default: every event is one frame, and the stream ends with the auction', async () => {
  const { auction, server } = await startWith()
  const response = await fetch(`${server.api}/rfq/quote/stream`, post)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  })
  // fetch accepts gzip, but compressing the stream would delay events.
  expect(response.headers.get('content-encoding')).toBe(null)
  auction.emit(quoted)
  auction.emit(done)

  const frames = (await response.text()).split('\n\n')
  expect(frames).toHaveLength(4)
  expect(frames.map((frame) => frame.split('\n').map((line) => line.split(':')[0]))).toEqual([
    ['event', 'id', 'data'],
    ['event', 'id', 'data'],
    ['event', 'id', 'data'],
    [''],
  ])
  expect(frames[0]).toContain(`event: started\nid: ${testRfq.rfqId}:0\ndata: {"rfqId":"${testRfq.rfqId}"`)
  expect(frames[1]).toContain(`"notional":"${2n ** 255n}"`)
  expect(frames[2]).toContain(`"ranking":["${quote.hash}"]`)
})

test('behavior: headers and the first event are sent immediately, comments while there are no events', async () => {
  const { auction, server } = await startWith({ streamPulseMs: 20 })
  const response = await fetch(`${server.api}/rfq/quote/stream`, post)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(':\n\n:\n\n')) text += (await reader?.read())?.value ?? ''
  expect(text).toMatch(/^event: started\n/)
  auction.emit(done)
  while (!(await reader?.read())?.done);
})

test('behavior: a borrower that disconnects receives no more events, the auction continues', async () => {
  const { auction, server } = await startWith()
  const leave = new AbortController()
  await fetch(`${server.api}/rfq/quote/stream`, { ...post, signal: leave.signal })
  expect(auction.listeners.size).toBe(1)
  leave.abort()
  while (auction.listeners.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  auction.emit(quoted)
  expect((await fetch(`${server.api}/health`)).status).toBe(200)
})

test('behavior: an aborted auction ends the stream with its error, without an unhandled rejection', async () => {
  const { auction, server } = await startWith()
  const response = await fetch(`${server.api}/rfq/quote/stream`, post)
  auction.emit({ type: 'error', id: `${testRfq.rfqId}:1`, data: { code: 'OVERLOADED', message: 'restarting' } })
  auction.abort()
  expect(await response.text()).toContain('event: error\n')
})

test('error: a reader that does not read is cut off', async () => {
  const { auction, server } = await startWith({ unreadBytes: 65_536 })
  const reader = connect(server.port, '127.0.0.1')
  reader.on('error', () => {})
  reader.write(
    `POST /api/v1/rfq/quote/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await once(reader, 'readable')
  let sent = 0
  // The kernel's buffers absorb several megabytes first.
  while (auction.listeners.size > 0) {
    for (let burst = 0; burst < 500; burst += 1) auction.emit(quoted)
    sent += 500
    expect(sent).toBeLessThan(200_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  reader.destroy()
  expect((await fetch(`${server.api}/health`)).status).toBe(200)
})

test('error: a reader that takes nothing for half a minute is cut off', async () => {
  const clock = createFakeClock()
  const auction = createScriptedAuction()
  const { service } = createScriptedService({ hub: { open: async () => ({ ok: true, value: auction }) } })
  running = await listenForTest({ service, domain: testDomain, clock, limits: { unreadBytes: 2 ** 30 } })
  const reader = connect(running.port, '127.0.0.1')
  reader.on('error', () => {})
  reader.write(
    `POST /api/v1/rfq/quote/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await once(reader, 'readable')
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1))
  for (let burst = 0; burst < 200; burst += 1) {
    for (let sent = 0; sent < 100; sent += 1) auction.emit(quoted)
    await turn()
  }
  clock.advance(29_999)
  await turn()
  expect(auction.listeners.size).toBe(1)
  clock.advance(30_001)
  while (auction.listeners.size > 0) await turn()
  reader.destroy()
})

test('behavior: an event is encoded once, however many listen', async () => {
  const { auction, server } = await startWith()
  const streams = await Promise.all([1, 2, 3].map(() => fetch(`${server.api}/rfq/quote/stream`, post)))
  let encodings = 0
  const counted = {
    ...quote,
    toJSON() {
      encodings += 1
      return { ...quote }
    },
  }
  auction.emit({ ...quoted, data: counted })
  auction.emit(done)
  const texts = await Promise.all(streams.map((stream) => stream.text()))
  expect(new Set(texts).size).toBe(1)
  expect(encodings).toBe(1)
})
