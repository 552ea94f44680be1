import { type RFQResult, ServiceClient, toRfqId } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { QueryClient } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { auctionKey, followAuction, isStreamed, startAuction } from './auctions.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const request = { poolId: bytes32('2'), seriesKey: bytes32('3'), notional: 250_000n }
let opened = 0

/** The system clock, but without delays between attempts. */
const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms < 5_000 ? 0 : ms)
    return () => clearTimeout(timer)
  },
}

/** A service that responds to every RFQ with a stream controlled by the test. */
function createService() {
  opened += 1
  const rfqId = toRfqId(`${opened}`.padStart(32, '0'))
  const calls: string[] = []
  let refuses = false
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const client = new ServiceClient(
    {},
    {
      fetch: async (url) => {
        const path = String(url).replace(/^.*\/api\/v1/, '')
        if (path === '/config') return new Response('', { status: 404 })
        calls.push(path)
        if (refuses)
          return Response.json(
            { code: 'NOT_FOUND', detail: 'No.', status: 404, type: 'about:blank', title: 'No', requestId: '1' },
            { status: 404 },
          )
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            stream = controller
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      },
      clock,
    },
  )
  const cache = new QueryClient()
  const send = (event: string, seq: number, data: object) =>
    stream?.enqueue(new TextEncoder().encode(`event: ${event}\nid: ${rfqId}:${seq}\ndata: ${JSON.stringify(data)}\n\n`))
  return {
    client,
    cache,
    calls,
    rfqId,
    start: () =>
      send('started', 0, {
        ...request,
        notional: '250000',
        rfqId,
        expiry: 2_000_000_000,
        openedAt: 1_000,
        closesAt: 16_000,
        backers: 3,
      }),
    finish: () => {
      send('done', 1, { rfqId, closedAt: 16_000, quoteCount: 0, rejectedCount: 1, ranking: [] })
    },
    breakOff: () => stream?.error(new Error('gone')),
    refuse: () => {
      refuses = true
    },
    known: () => cache.getQueryData<RFQResult>(auctionKey(rfqId)),
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('startAuction', () => {
  test('default: returns the id at the start, and keeps following the stream', async () => {
    const service = createService()
    const started = startAuction(service.client, service.cache, request)
    await settle()
    service.start()
    expect(await started).toBe(service.rfqId)
    expect(service.known()).toMatchObject({ status: 'open', backers: 3 })
    expect(isStreamed(service.rfqId)).toBe(true)
    service.finish()
    await settle()
    expect(service.known()).toMatchObject({ status: 'closed', rejectedCount: 1 })
    expect(isStreamed(service.rfqId)).toBe(false)
  })

  test('behavior: a second click joins the same auction', async () => {
    const service = createService()
    const first = startAuction(service.client, service.cache, request)
    const second = startAuction(service.client, service.cache, { ...request })
    await settle()
    service.start()
    expect(await first).toBe(await second)
    expect(service.calls).toHaveLength(1)
    service.finish()
    await settle()
  })

  test('behavior: a different request opens another auction', async () => {
    const services = [createService(), createService()]
    const started = services.map(({ client, cache }, index) =>
      startAuction(client, cache, { ...request, notional: request.notional + BigInt(index) }),
    )
    await settle()
    expect(services.map(({ calls }) => calls.length)).toEqual([1, 1])
    for (const { refuse, breakOff } of services) {
      refuse()
      breakOff()
    }
    await Promise.allSettled(started)
  })

  test('behavior: if the stream cannot be resumed, the auction stays open for its query to poll', async () => {
    const service = createService()
    const started = startAuction(service.client, service.cache, request)
    await settle()
    service.start()
    await started
    service.refuse()
    service.breakOff()
    await settle()
    expect(service.known()).toMatchObject({ status: 'open' })
    expect(isStreamed(service.rfqId)).toBe(false)
    expect(service.cache.getQueryState(auctionKey(service.rfqId))?.isInvalidated).toBe(true)
  })

  test('error: a rejected request can be retried', async () => {
    const service = createService()
    service.refuse()
    await expect(startAuction(service.client, service.cache, request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(startAuction(service.client, service.cache, request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(service.calls).toHaveLength(2)
  })
})

describe('followAuction', () => {
  test('default: follows an auction that was opened before, once', async () => {
    const service = createService()
    followAuction(service.client, service.cache, service.rfqId)
    followAuction(service.client, service.cache, service.rfqId)
    await settle()
    expect(service.calls).toEqual([`/rfq/${service.rfqId}/stream`])
    expect(isStreamed(service.rfqId)).toBe(true)
    service.start()
    await settle()
    expect(service.known()).toMatchObject({ status: 'open', backers: 3 })
    service.finish()
    await settle()
    expect(service.known()).toMatchObject({ status: 'closed' })
    expect(isStreamed(service.rfqId)).toBe(false)
  })

  test('error: if the stream fails, the auction is left to its query', async () => {
    const service = createService()
    service.refuse()
    followAuction(service.client, service.cache, service.rfqId)
    await settle()
    expect(isStreamed(service.rfqId)).toBe(false)
  })
})
