import { InvalidInputError, type RFQBroadcast } from '@firmquote/core'
import { sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, expect, test } from '@jest/globals'
import { WebSocket } from 'ws'
import { startBackerService } from '../test/backerService.ts'
import { bytes, key, publicRfqId, quoteHash, quoteMarket, wireQuote, wireResult, wireRfq } from '../test/samples.ts'
import { ServiceClient } from './serviceClient.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const request = { poolId: bytes('2'), expiry: 1_798_761_600, notional: 1_000_000_000_000n }
const accepted = {
  ...{ type: 'quote_ack', rfqId: publicRfqId, status: 'accepted' },
  ...{ hash: quoteHash, receivedAt: 1, closesAt: 2 },
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Connects a backer to a service that sends these fields when it accepts the backer. Also returns the dialled URL. */
async function connect(options: { traces?: boolean }, authenticated: object) {
  const service = await startBackerService({ serverTime: () => Date.now() })
  const client = new ServiceClient(
    { orderbookUrl: service.url.replace('ws', 'http').replace('/ws/rfq', ''), quoteMarketAddress: quoteMarket },
    { WebSocket: spyOn() },
  )
  closers.push(service.close, () => client.disconnectWebSocket())
  client.setPrivateKey(key)
  const rfqs: RFQBroadcast[] = []
  const [socket, channel] = await Promise.all([
    service.letIn([], authenticated),
    client.connectWebSocket({ onRFQ: (rfq) => rfqs.push(rfq) }, options),
  ])
  return { socket, channel, rfqs }
}

const dialled: string[] = []
function spyOn() {
  dialled.length = 0
  return class extends WebSocket {
    constructor(url: string) {
      super(url)
      dialled.push(url)
    }
  } as never
}

async function sentQuote({ socket, channel }: Awaited<ReturnType<typeof connect>>) {
  const ack = channel.submitSerializedQuote(publicRfqId, wireQuote, { traceparent })
  const message = await socket.next<{ id: string; traceparent?: string }>('quote')
  socket.send({ ...accepted, id: message.id })
  await ack
  return message
}

test('default: a backer requests traces, receives them and continues them', async () => {
  const parts = await connect({ traces: true }, { traces: true })
  expect(dialled[0]).toMatch(/\/ws\/rfq\?traces=1$/)
  parts.socket.send({ type: 'rfq', ...wireRfq, traceparent })
  while (parts.rfqs.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(parts.rfqs[0]?.traceparent).toBe(traceparent)
  expect((await sentQuote(parts)).traceparent).toBe(traceparent)
})

test.each<[string, { traces?: boolean }, object]>([
  ['the service is an older one, which would refuse it', { traces: true }, {}],
  ['it was not asked for', {}, { traces: true }],
])('behavior: a quote has no traceparent where %s', async (_, options, authenticated) => {
  const parts = await connect(options, authenticated)
  expect(dialled[0]?.endsWith('?traces=1')).toBe(options.traces === true)
  expect('traceparent' in (await sentQuote(parts))).toBe(false)
})

test("behavior: auctions carry the caller's trace, including streams", async () => {
  const server = await startHttpServer(({ path }, response) => {
    if (path.endsWith('/stream')) sendProblem(response, 422, 'POOL_NOT_FOUND')
    else sendJson(response, 200, wireResult)
  })
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: server.url, quoteMarketAddress: quoteMarket })
  await client.requestQuotes(request, { traceparent })
  await client.requestQuotes(request)
  await expect(client.streamQuotes(request, { traceparent }).next()).rejects.toMatchObject({ code: 'POOL_NOT_FOUND' })
  expect(server.seen.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, undefined, traceparent])
})

test('error: rejects a malformed traceparent before sending', async () => {
  const parts = await connect({ traces: true }, { traces: true })
  const client = new ServiceClient({ quoteMarketAddress: quoteMarket })
  for (const given of ['garbage', `${traceparent}\r\nx: 1`, 1]) {
    const options = { traceparent: given as string }
    await expect(client.requestQuotes(request, options)).rejects.toThrow(InvalidInputError)
    expect(() => client.streamQuotes(request, options)).toThrow(InvalidInputError)
    const submitted = parts.channel.submitSerializedQuote(publicRfqId, wireQuote, options)
    await expect(submitted).rejects.toMatchObject({ path: 'traceparent' })
  }
  await expect(client.connectWebSocket({}, { traces: 'yes' as never })).rejects.toMatchObject({ path: 'traces' })
})
