// This file is longer than 400 lines because all calls share the same table of cases and fake service.

import { inspect } from 'node:util'
import type { RfqId } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { decodeOrThrow, type Shape } from '@firmquote/core/wire'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { Hex } from 'viem'
import { startBackerService } from '../test/backerService.ts'
import {
  bytes,
  key,
  maker,
  quote,
  quoteHash,
  quoteMarket,
  rfqId,
  wireQuote,
  wireResult,
  wireStored,
} from '../test/samples.ts'
import { serviceConfig } from '../test/serviceConfig.ts'
import { BackerSigner } from './backer/backerSigner.ts'
import type { ServiceClientOptions } from './borrowerClient.ts'
import { ServiceClient } from './serviceClient.ts'

type Answer = Parameters<typeof startHttpServer>[0]

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(answer: Answer, options: ServiceClientOptions = {}, served = {}) {
  const server = await startHttpServer(answer, served)
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: server.url, quoteMarketAddress: quoteMarket }, options)
  return { server, client }
}

/** Returns the URL of a port on which nothing listens. */
async function deadUrl(): Promise<string> {
  const server = await startHttpServer(() => {})
  await server.close()
  return server.url
}

const request = { poolId: bytes('2'), expiry: 1_798_761_600, notional: 1_000_000_000_000n }
const atOnce = { random: () => 0 }

describe('reads', () => {
  const health = {
    status: 'ok',
    database: 'ok',
    sync: { head: 10, synced: 9, lagSeconds: 1 },
    backers: { connected: 3 },
    auctions: { open: 0 },
    version: '0.0.0',
  }
  const rate = {
    protocol: 'morpho-blue',
    market: bytes('5'),
    loanToken: quoteMarket,
    ratePerSec: '1585489599',
    apr: 5,
    apy: 5.12,
    block: 7,
  }
  const pool = {
    poolId: bytes('2'),
    loanToken: { address: quoteMarket, symbol: 'tUSD', decimals: 6 },
    floating: { ratePerSec: '1585489599', apr: 5, apy: 5.12 },
    series: [
      {
        seriesKey: bytes('3'),
        expiry: 1_798_761_600,
        capacity: '5',
        bestApr: 4.5,
        depth: { quotes: 1, notional: '4' },
      },
      { seriesKey: bytes('4'), expiry: 1_798_761_601, capacity: '0', depth: { quotes: 0, notional: '0' } },
    ],
  }
  const observation = {
    rfqId,
    hash: quoteHash,
    maker,
    poolId: bytes('2'),
    seriesKey: bytes('3'),
    expiry: 1_798_761_600,
    notional: '2',
    vrtAmount: '1',
    apr: 4,
    observedAt: 1,
    executable: false,
    reason: 'QUOTE_FILLED',
  }
  const filters = { maker, poolId: bytes('2'), minNotional: 5n, sort: 'rate', limit: 10, cursor: 'a b&c' } as const

  const places = { maker, borrower: maker, poolId: bytes('2'), seriesKey: bytes('3'), loanToken: maker, expiry: 9 }
  const position = { ...places, role: 'maker', positionId: '1', notional: '5', cost: '2', openedAtBlock: '4' }
  const settlement = { toBorrower: '3', toMaker: '4', blockNumber: '6', transactionHash: bytes('5') }
  const positions = {
    address: maker,
    block: 7,
    debts: [{ poolId: bytes('2'), protocol: 'p', market: bytes('1'), loanToken: maker, debt: '5' }],
    positions: [
      { ...position, accrued: '3', settleable: false },
      { ...position, settlement },
    ],
    withdrawable: [{ token: maker, amount: '9' }],
    nextCursor: 'next',
  }

  /** A call, its path, the service's response, and that response's wire shape. */
  const cases: [string, (client: ServiceClient) => Promise<unknown>, string, unknown, Shape<unknown>][] = [
    ['getHealth', (client) => client.getHealth(), '/health', health, endpoints.getHealth.answers[200].shape],
    [
      'getPoolRates',
      (client) => client.getPoolRates({ poolId: bytes('2'), notional: 5n }),
      `/pools/rates?poolId=${bytes('2')}&notional=5`,
      { pools: [pool] },
      endpoints.getPoolRates.answers[200].shape,
    ],
    [
      'getPositions',
      (client) => client.getPositions(maker, { status: 'all', limit: 2, cursor: 'a b&c' }),
      `/positions/all?address=${maker}&status=all&limit=2&cursor=a+b%26c`,
      positions,
      endpoints.getPositions.answers[200].shape,
    ],
    [
      'getQuoteMarketQuotes',
      (client) => client.getQuoteMarketQuotes(filters),
      `/quotes?maker=${maker}&poolId=${bytes('2')}&minNotional=5&sort=rate&limit=10&cursor=a+b%26c`,
      { quotes: [wireStored], nextCursor: 'next' },
      endpoints.listQuotes.answers[200].shape,
    ],
    [
      'getQuoteMarketQuote',
      (client) => client.getQuoteMarketQuote(quoteHash),
      `/quotes/${quoteHash}`,
      wireStored,
      endpoints.getQuote.answers[200].shape,
    ],
    [
      'getRecentQuotes',
      (client) => client.getRecentQuotes({ limit: 5 }),
      '/rfq/quotes/recent?limit=5',
      { quotes: [observation] },
      endpoints.listObservations.answers[200].shape,
    ],
    [
      'getServiceConfig',
      (client) => client.getServiceConfig(),
      '/config',
      serviceConfig,
      endpoints.getConfig.answers[200].shape,
    ],
    ['getRfq', (client) => client.getRfq(rfqId), `/rfq/${rfqId}`, wireResult, endpoints.getAuction.answers[200].shape],
  ]
  /** Unwraps a list. */
  const unwrapped = (answer: object) => {
    const [only, ...more] = Object.values(answer)
    return more.length === 0 ? only : answer
  }
  test.each(cases)('default: %s', async (_name, call, path, body, shape) => {
    const { server, client } = await start(
      (_request, response) => sendJson(response, 200, body),
      {},
      { servesConfig: path === '/config' },
    )
    expect(await call(client)).toEqual(unwrapped(decodeOrThrow(shape, body, 'The answer') as object))
    expect(server.seen.map((seen) => `${seen.method} ${seen.path}`)).toEqual([`GET /api/v1${path}`])
  })

  test('default: getMarkets, its amounts as bigints', async () => {
    const { server, client } = await start((_request, response) => sendJson(response, 200, { rates: [rate] }))
    expect(await client.getMarkets()).toEqual([{ ...rate, ratePerSec: 1_585_489_599n }])
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/v1/rates/current'])
  })

  test('behavior: drops fields that a newer service adds', async () => {
    const { client } = await start((_request, response) => sendJson(response, 200, { ...health, more: 1 }))
    expect(await client.getHealth()).toEqual(health)
  })

  test('behavior: returns the health of a service that is down', async () => {
    const down = { ...health, status: 'down', database: 'down', sync: { head: null, synced: null, lagSeconds: null } }
    const { client } = await start((_request, response) => sendJson(response, 503, down))
    expect(await client.getHealth()).toEqual(down)
  })

  test("error: a proxy's error is not the service's health", async () => {
    const { client } = await start((_request, response) => sendProblem(response, 503, 'OVERLOADED'))
    await expect(client.getHealth()).rejects.toMatchObject({ code: 'OVERLOADED', status: 503 })
  })

  test.each(['', '../config', 'AB'.repeat(16), `${rfqId}/`])('error: the id %j is never sent', async (id) => {
    const { server, client } = await start((_request, response) => sendJson(response, 200, {}))
    await expect(client.getRfq(id as RfqId)).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'rfqId' })
    expect(server.seen).toEqual([])
  })
})

describe('writes', () => {
  test('default: requestQuotes', async () => {
    const answer = { ...wireResult, taker: maker }
    const { server, client } = await start((_request, response) => sendJson(response, 200, answer))
    const result = await client.requestQuotes({ ...request, maxVrtAmount: 7n, taker: maker })
    expect(result.quotes[0]?.quote).toEqual({ ...quote, signature: wireQuote.signature })
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/v1/rfq/quote' })
    expect(server.seen[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      ...request,
      notional: '1000000000000',
      maxVrtAmount: '7',
      taker: maker,
    })
  })

  test.each([
    ['no series and no expiry', { poolId: bytes('2'), notional: 1n }, 'seriesKey'],
    ['both', { ...request, seriesKey: bytes('3') }, 'seriesKey'],
    ['a notional of zero', { ...request, notional: 0n }, 'notional'],
    ['a notional as number', { ...request, notional: 5 }, 'notional'],
    ['a short poolId', { ...request, poolId: '0x22' }, 'poolId'],
    ['an unknown key', { ...request, maxVRTAmount: 1n }, 'maxVRTAmount'],
    ['an expiry in the form of text', { ...request, expiry: '1798761600' }, 'expiry'],
    ['null', null, 'notional'],
  ])('error: %s is refused before anything is sent', async (_what, bad, path) => {
    const { server, client } = await start((_request, response) => sendJson(response, 200, wireResult))
    await expect(client.requestQuotes(bad as never)).rejects.toMatchObject({ code: 'INVALID_INPUT', path })
    expect(() => client.streamQuotes(bad as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
    expect(server.seen).toEqual([])
  })

  test('default: submitQuoteMarketQuote', async () => {
    const { server, client } = await start((_request, response) => sendJson(response, 201, wireStored))
    client.setPrivateKey(key)
    const signed = await client.signQuoteMarketQuote(quote)
    expect(await client.submitQuoteMarketQuote(signed)).toMatchObject({ hash: quoteHash, status: 'active' })
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: '/api/v1/quotes' })
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(wireQuote)
  })

  test('error: a rejection is a ServiceError with all facts from the service', async () => {
    const more = { details: { nonce: '0', makerNonce: '1' }, errors: [{ path: 'nonce', message: 'is stale' }] }
    const { client } = await start((_request, response) => sendProblem(response, 422, 'NONCE_MISMATCH', more))
    await expect(client.submitQuoteMarketQuote(wireQuote)).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'NONCE_MISMATCH',
      shortMessage: 'It is NONCE_MISMATCH.',
      status: 422,
      requestId: 'req-1',
      facts: more.details,
      issues: more.errors,
      docs: undefined,
    })
  })

  test.each([
    ['/learn/reference/errors#nonce_mismatch', '/learn/reference/errors#nonce_mismatch'],
    ['https://elsewhere.example/errors', undefined],
    ['//elsewhere.example/errors', undefined],
    ['javascript:alert(1)', undefined],
    ['http://[', undefined],
  ])('behavior: the page about the code, %s, is one of the service itself or none', async (docs, path) => {
    const { client, server } = await start((_request, response) =>
      sendProblem(response, 422, 'NONCE_MISMATCH', { docs }),
    )
    await expect(client.submitQuoteMarketQuote(wireQuote)).rejects.toMatchObject({
      code: 'NONCE_MISMATCH',
      docs: path && new URL(path, server.url).href,
    })
  })

  test('behavior: a code of a newer service stays readable', async () => {
    const { client } = await start((_request, response) => sendProblem(response, 451, 'NOT_IN_YOUR_COUNTRY'))
    await expect(client.requestQuotes(request)).rejects.toMatchObject({ code: 'NOT_IN_YOUR_COUNTRY', status: 451 })
  })

  test.each([503, 500, 429])('error: status %d is never repeated without a key', async (status) => {
    const headers = { 'retry-after': '0' }
    const { server, client } = await start((_request, response) =>
      sendProblem(response, status, 'OVERLOADED', {}, headers),
    )
    await expect(client.submitQuoteMarketQuote(wireQuote)).rejects.toMatchObject({ status, retryAfterMs: 0 })
    expect(server.seen).toHaveLength(1)
  })

  test('error: a broken request without a key is not retried and may have been sent', async () => {
    const { server, client } = await start((_request, response) => response.destroy(), atOnce)
    const broken = { name: 'ConnectionError', code: 'CONNECTION_FAILED', sent: 'maybe' }
    await expect(client.submitQuoteMarketQuote(wireQuote)).rejects.toMatchObject(broken)
    expect(server.seen).toHaveLength(1)
  })

  test('error: nothing is listening: definitely not sent', async () => {
    const client = new ServiceClient({ orderbookUrl: await deadUrl() })
    const never = { code: 'CONNECTION_FAILED', sent: 'no' }
    await expect(client.submitQuoteMarketQuote(wireQuote)).rejects.toMatchObject(never)
  })
})

describe('repeated reads', () => {
  const body = { rates: [] }

  test('behavior: a line that breaks twice', async () => {
    const { server, client } = await start(
      (_request, response, count) => (count <= 2 ? response.destroy() : sendJson(response, 200, body)),
      atOnce,
    )
    expect(await client.getMarkets()).toEqual([])
    expect(server.seen).toHaveLength(3)
  })

  test.each([502, 503, 504])("behavior: a proxy's %d, twice", async (status) => {
    const { server, client } = await start(
      (_request, response, count) =>
        count <= 2 ? response.writeHead(status).end('<html>') : sendJson(response, 200, body),
      atOnce,
    )
    expect(await client.getMarkets()).toEqual([])
    expect(server.seen).toHaveLength(3)
  })

  test('behavior: waits for Retry-After on 503, by the clock', async () => {
    const clock = createFakeClock()
    const waits: number[] = []
    const watched = {
      ...clock,
      after(ms: number, callback: () => void) {
        waits.push(ms)
        return ms === 3_000 ? clock.after(0, callback) : clock.after(ms, callback)
      },
    }
    const { server, client } = await start(
      (_request, response, count) => {
        if (count === 1) sendProblem(response, 503, 'CHAIN_UNAVAILABLE', {}, { 'retry-after': '3' })
        else sendJson(response, 200, body)
      },
      { clock: watched },
    )
    const answer = client.getMarkets()
    while (!waits.includes(3_000)) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(0)
    expect(await answer).toEqual([])
    expect(server.seen).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })

  test.each([
    ['503 without Retry-After', 503, {}],
    ['503 with a long Retry-After', 503, { 'retry-after': '60' }],
    ['503 with an unreadable Retry-After', 503, { 'retry-after': 'soon' }],
    ['429', 429, { 'retry-after': '0' }],
    ['404', 404, {}],
    ['500', 500, {}],
  ])('error: %s is told at once', async (_what, status, headers) => {
    const { server, client } = await start((_request, response) =>
      sendProblem(response, status, 'INTERNAL', {}, headers),
    )
    await expect(client.getMarkets()).rejects.toMatchObject({ status })
    expect(server.seen).toHaveLength(1)
  })

  test('behavior: Retry-After as a date', async () => {
    const clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'))
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }
    const { client } = await start((_request, response) => sendProblem(response, 503, 'OVERLOADED', {}, headers), {
      clock,
    })
    await expect(client.getMarkets()).rejects.toMatchObject({ retryAfterMs: 60_000 })
  })

  test('behavior: aborting ends the wait between attempts', async () => {
    const controller = new AbortController()
    const { client } = await start((_request, response) => {
      sendProblem(response, 503, 'OVERLOADED', {}, { 'retry-after': '5' })
      setImmediate(() => setTimeout(() => controller.abort('enough'), 20))
    })
    await expect(client.getMarkets({ signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'enough',
    })
  })
})

describe('answers that do not fit', () => {
  test.each([
    ['HTML', 200, 'text/html', '<html>', 'is not JSON'],
    ['an empty body', 200, 'application/json', '', 'is not JSON'],
    ['HTML of a proxy', 502, 'text/html', '<html>', '502'],
    ['JSON of a proxy', 502, 'application/json', '{"error":"bad gateway"}', '502'],
    ['another shape', 200, 'application/json', '{"rates":{}}', 'rates: must be an array'],
    ['a wrong field deep inside', 200, 'application/json', '{"rates":[{"protocol":1}]}', 'rates.0.protocol'],
    ['null', 200, 'application/json', 'null', 'must be an object'],
  ])('error: %s', async (_what, status, type, body, message) => {
    const { client } = await start((_request, response) => {
      response.writeHead(status, { 'content-type': type, 'x-request-id': 'r-9' }).end(body)
    })
    await expect(client.getMarkets()).rejects.toMatchObject({
      name: 'InvalidResponseError',
      code: 'INVALID_RESPONSE',
      status,
      requestId: 'r-9',
      message: expect.stringContaining(message),
    })
  })
})

describe('time and abort', () => {
  test('error: no answer in time', async () => {
    const clock = createFakeClock()
    const { server, client } = await start(() => {}, { clock, timeoutMs: 1_000 })
    for (const call of [() => client.getMarkets(), () => client.submitQuoteMarketQuote(wireQuote)]) {
      const before = server.seen.length
      const answer = call()
      answer.catch(() => {})
      while (server.seen.length === before) await new Promise((resolve) => setImmediate(resolve))
      clock.advance(999)
      clock.advance(1)
      await expect(answer).rejects.toMatchObject({ code: 'TIMEOUT', sent: 'maybe', timeoutMs: 1_000 })
    }
    expect(server.seen).toHaveLength(2)
    expect(clock.pending()).toBe(0)
  })

  test("behavior: an auction's timeout covers its duration", async () => {
    const clock = createFakeClock()
    const { server, client } = await start(
      (_request, response) => {
        clock.advance(59_999)
        sendJson(response, 200, wireResult)
      },
      { clock },
    )
    expect(await client.requestQuotes(request)).toMatchObject({ rfqId })
    expect(server.seen).toHaveLength(1)
  })

  test('error: aborted while waiting', async () => {
    const controller = new AbortController()
    const { client } = await start(() => controller.abort(new TypeError('gone')))
    await expect(client.requestQuotes(request, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
      code: 'ABORTED',
      sent: 'maybe',
      cause: expect.any(TypeError),
    })
  })

  test('error: aborted before sending', async () => {
    const { server, client } = await start((_request, response) => sendJson(response, 200, {}))
    const options = { signal: AbortSignal.abort() }
    const calls = [
      client.getHealth(options),
      client.getMarkets(options),
      client.getPoolRates({}, options),
      client.getServiceConfig(options),
      client.getRfq(rfqId, options),
      client.getRecentQuotes({}, options),
      client.getQuoteMarketQuotes({}, options),
      client.getQuoteMarketQuote(quoteHash, options),
      client.submitQuoteMarketQuote(wireQuote, options),
      client.requestQuotes(request, options),
      client.streamQuotes(request, options).next(),
      client.followAuction(rfqId, options).next(),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'ABORTED', sent: 'no' })
    expect(server.seen).toEqual([])
  })

  test("behavior: sends an integrator's key with every request, and follows no redirect with it", async () => {
    const apiKey = 'integrator_key-of_22_characters'
    const { server, client } = await start((_seen, response) => sendProblem(response, 422, 'POOL_NOT_FOUND'), {
      apiKey,
    })
    await expect(client.requestQuotes(request)).rejects.toMatchObject({ code: 'POOL_NOT_FOUND' })
    await expect(client.streamQuotes(request).next()).rejects.toMatchObject({ code: 'POOL_NOT_FOUND' })
    await expect(client.getRfq(rfqId)).rejects.toThrow()
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toEqual([apiKey, apiKey, apiKey])
    const moved = await start(
      ({ path }, response) => {
        if (path === '/elsewhere') sendJson(response, 200, {})
        else response.writeHead(307, { location: '/elsewhere' }).end()
      },
      { apiKey },
    )
    await expect(moved.client.getRfq(rfqId)).rejects.toThrow()
    expect(moved.server.seen).toHaveLength(1)
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(apiKey)
  })

  test.each(['', 'short', 'x'.repeat(129), 'a key with spaces in it, long', 7])('error: %j is no key', (apiKey) => {
    const create = () => new ServiceClient({}, { apiKey: apiKey as string })
    expect(create).toThrow(expect.objectContaining({ path: 'apiKey' }))
  })

  test('behavior: an injected fetch is used', async () => {
    const urls: string[] = []
    const client = new ServiceClient(
      {},
      {
        fetch: async (url) => {
          urls.push(String(url))
          return Response.json({ rates: [] })
        },
      },
    )
    expect(await client.getMarkets()).toEqual([])
    expect(urls).toEqual(['http://localhost:3005/api/v1/config', 'http://localhost:3005/api/v1/rates/current'])
  })
})

describe('the signer', () => {
  test('default: address and signer', () => {
    const client = new ServiceClient()
    expect(client.getAddress()).toBeNull()
    client.setPrivateKey(key)
    expect(client.getAddress()).toBe(maker)
    expect(client.getSigner()).toBeInstanceOf(BackerSigner)
    expect(client.getSigner().getAddress()).toBe(maker)
  })

  test('behavior: getConfig returns a copy', () => {
    const client = new ServiceClient({ chainId: 31_337 })
    const config = client.getConfig()
    config.chainId = 1
    expect(client.getConfig().chainId).toBe(31_337)
  })

  test('behavior: the key is never exposed', () => {
    const client = new ServiceClient()
    client.setPrivateKey(key)
    const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }
    const shown = [inspect(client, options), JSON.stringify(client), JSON.stringify(structuredClone(client))].join()
    expect(shown).not.toContain(key.slice(2))
    expect(Reflect.ownKeys(client)).toEqual([])
    expect(() => client.setPrivateKey(`${key}00` as Hex)).toThrow(/^The private key must be 32 bytes/)
  })
})

describe('the backer channel', () => {
  test('default: connects, replaces, disconnects', async () => {
    const service = await startBackerService()
    closers.push(service.close)
    const clock = createFakeClock(1_767_225_600_000)
    const orderbookUrl = service.url.replace('ws:', 'http:').replace('/ws/rfq', '')
    const client = new ServiceClient({ orderbookUrl, quoteMarketAddress: quoteMarket }, { clock })
    client.setPrivateKey(key)
    expect(client.getWebSocketClient()).toBeNull()
    const onClose = jest.fn()
    const [first] = await Promise.all([client.connectWebSocket({ onClose }), service.letIn()])
    expect(client.getWebSocketClient()).toBe(first)
    expect(first.isAuth()).toBe(true)

    const [second] = await Promise.all([client.connectWebSocket(), service.letIn()])
    expect(first.isConnected()).toBe(false)
    expect(onClose).toHaveBeenCalledWith({ code: 1000, reason: 'disconnected', retryInMs: null })
    expect(client.getWebSocketClient()).toBe(second)

    client.disconnectWebSocket()
    expect(second.isConnected()).toBe(false)
    expect(client.getWebSocketClient()).toBeNull()
    expect(clock.pending()).toBe(0)
    await Promise.all([second.connect(), service.letIn()])
    expect(second.isAuth()).toBe(true)
    second.disconnect()
    expect(clock.pending()).toBe(0)
    client.disconnectWebSocket()
  })

  test('error: a failed connection leaves no channel', async () => {
    const client = new ServiceClient({ orderbookUrl: await deadUrl() })
    await expect(client.connectWebSocket()).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
    client.setPrivateKey(key)
    await expect(client.connectWebSocket()).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: 'no' })
    expect(client.getWebSocketClient()).toBeNull()
  })
})
