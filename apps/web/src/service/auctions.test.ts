import { type RFQResult, ServiceClient } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { QueryClient } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { auctionKey, isStreamed, startAuction } from './auctions.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const request = { poolId: bytes32('2'), seriesKey: bytes32('3'), notional: 250_000n }
let opened = 0

/** A service that answers every RFQ with a stream which the test writes. */
function createService() {
  opened += 1
  const rfqId = `${opened}`.padStart(32, '0')
  const calls: string[] = []
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const client = new ServiceClient(
    {},
    {
      fetch: async (url) => {
        calls.push(String(url))
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            stream = controller
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      },
    },
  )
  const cache = new QueryClient()
  const send = (event: string, data: object) =>
    stream?.enqueue(new TextEncoder().encode(`event: ${event}\nid: 1\ndata: ${JSON.stringify(data)}\n\n`))
  return {
    client,
    cache,
    calls,
    rfqId,
    start: () =>
      send('started', {
        ...request,
        notional: '250000',
        rfqId,
        expiry: 2_000_000_000,
        openedAt: 1_000,
        closesAt: 16_000,
        backers: 3,
      }),
    finish: () => {
      send('done', { rfqId, closedAt: 16_000, quoteCount: 0, rejectedCount: 1, ranking: [] })
    },
    breakOff: () => stream?.error(new Error('gone')),
    known: () => cache.getQueryData<RFQResult>(auctionKey(rfqId)),
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('startAuction', () => {
  test('default: gives the id at the start, and goes on listening', async () => {
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

  test('behavior: a second click is the same auction', async () => {
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

  test('behavior: another request at the same time is another auction', async () => {
    const services = [createService(), createService()]
    const started = services.map(({ client, cache }, index) =>
      startAuction(client, cache, { ...request, notional: request.notional + BigInt(index) }),
    )
    await settle()
    expect(services.map(({ calls }) => calls.length)).toEqual([1, 1])
    for (const { breakOff } of services) breakOff()
    await Promise.allSettled(started)
  })

  test('behavior: a stream that breaks leaves the auction open, for its query to ask', async () => {
    const service = createService()
    const started = startAuction(service.client, service.cache, request)
    await settle()
    service.start()
    await started
    service.breakOff()
    await settle()
    expect(service.known()).toMatchObject({ status: 'open' })
    expect(isStreamed(service.rfqId)).toBe(false)
    expect(service.cache.getQueryState(auctionKey(service.rfqId))?.isInvalidated).toBe(true)
  })

  test('error: a stream that ends before its auction is named', async () => {
    const service = createService()
    const started = startAuction(service.client, service.cache, request)
    await settle()
    service.breakOff()
    await expect(started).rejects.toMatchObject({ code: 'STREAM_INTERRUPTED' })
    const again = startAuction(service.client, service.cache, request)
    await settle()
    expect(service.calls).toHaveLength(2)
    service.start()
    await again
    service.breakOff()
    await settle()
  })
})
