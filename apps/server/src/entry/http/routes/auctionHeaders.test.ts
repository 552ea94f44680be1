import { createHash } from 'node:crypto'
import { type RFQResult, type RFQStreamEvent, type RfqId, toRfqId } from '@firmquote/core'
import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../../../test/listenForTest.ts'
import { createScriptedAuction, createScriptedService, testDomain, testRfq } from '../../../../test/scriptedService.ts'
import type { FindIntegrator } from '../../../app/control/integrators.ts'
import type { Requester } from '../../../app/service.ts'
import { OverloadedError, StorageUnavailableError } from '../../../ports/errors.ts'

const { rfqId } = testRfq
const other = toRfqId('fe'.repeat(16))
const body = JSON.stringify({ poolId: testRfq.poolId, seriesKey: testRfq.seriesKey, notional: '1000000' })
const done: RFQStreamEvent = {
  type: 'done',
  id: `${rfqId}:2`,
  data: { rfqId, closedAt: 1_300, quoteCount: 1, rejectedCount: 0, ranking: [] },
}
const summary: RFQResult = {
  ...testRfq,
  status: 'closed',
  closedAt: 1_300,
  backers: 0,
  rejectedCount: 0,
  quotes: [],
}

let server: ListeningServer
const running: ListeningServer[] = []
afterEach(async () => {
  for (const started of running.splice(0)) await started.close()
})

async function start(
  hub: NonNullable<Parameters<typeof createScriptedService>[0]>['hub'] = {},
  options: Partial<Parameters<typeof listenForTest>[0]> = {},
  findIntegrator?: FindIntegrator,
) {
  server = await listenForTest({
    ...createScriptedService({ hub, ...(findIntegrator && { findIntegrator }) }),
    domain: testDomain,
    ...options,
  })
  running.push(server)
}

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  return decodeOrThrow(problemShape, await response.json(), 'problem')
}

describe('GET /rfq/:rfqId/stream', () => {
  const follow = (id: string = rfqId, headers: Record<string, string> = {}) =>
    fetch(`${server.api}/rfq/${id}/stream`, { headers })

  /**
   * Starts a server whose auctions finish immediately. Returns the positions from which followers started reading.
   */
  async function startDone() {
    const begun: [RfqId, number | undefined][] = []
    await start({
      follow: async (id) => {
        if (id !== rfqId) return null
        const auction = createScriptedAuction()
        return {
          ...auction,
          listen(listener, after) {
            begun.push([id, after])
            const leave = auction.listen(listener, after)
            auction.emit(done)
            return leave
          },
        }
      },
    })
    return begun
  }

  test('default: from the beginning, or after an event', async () => {
    const begun = await startDone()
    const all = await follow()
    expect(all.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect((await all.text()).match(/^event: \w+/gm)).toEqual(['event: started', 'event: done'])
    for (const seq of [0, 1, 999_999_999]) {
      const rest = await follow(rfqId, { 'last-event-id': `${rfqId}:${seq}` })
      expect((await rest.text()).match(/^event: \w+/gm)).toEqual(['event: done'])
    }
    expect(begun).toEqual([undefined, 0, 1, 999_999_999].map((after) => [rfqId, after]))
  })

  test('error: an event of another auction', async () => {
    await startDone()
    const response = await follow(rfqId, { 'last-event-id': `${other}:1` })
    expect(response.status).toBe(400)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'Last-Event-ID' }] })
    expect(JSON.stringify(problem)).not.toContain(other)
  })

  test.each(['', 'x', rfqId, `${rfqId}:`, `${rfqId}:01`, `${rfqId}:-1`, `${rfqId}:1e3`, `${rfqId}:1000000000`])(
    'error: %j is not an event id',
    async (id) => {
      await startDone()
      const response = await follow(rfqId, { 'last-event-id': id })
      expect(response.status).toBe(400)
      expect((await problemOf(response)).errors?.map(({ path }) => path)).toEqual(['Last-Event-ID'])
    },
  )

  test('error: no such auction', async () => {
    await startDone()
    const response = await follow(other)
    expect(response.status).toBe(404)
    expect(await problemOf(response)).toMatchObject({ code: 'RFQ_NOT_FOUND' })
  })

  test.each([
    [new StorageUnavailableError('gone'), 'STORAGE_UNAVAILABLE'],
    [new OverloadedError(), 'OVERLOADED'],
  ])('error: %s can be retried', async (error, code) => {
    await start({ follow: () => Promise.reject(error) })
    const response = await follow()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await problemOf(response)).toMatchObject({ code })
  })

  test('behavior: neither the id of the auction nor that of the event is logged', async () => {
    await startDone()
    await (await follow(rfqId, { 'last-event-id': `${rfqId}:1` })).text()
    await follow(rfqId, { 'last-event-id': `${other}:1` })
    while (server.logs.filter(({ msg }) => msg === 'request').length < 2) await new Promise((go) => setTimeout(go, 2))
    expect(server.logs.map(({ route }) => route)).toContain('/api/v1/rfq/:rfqId/stream')
    expect(JSON.stringify(server.logs)).not.toMatch(new RegExp(`${rfqId}|${other}`))
  })
})

describe.each(['/rfq/quote', '/rfq/quote/stream'])('Idempotency-Key at POST %s', (path) => {
  const key = 'kJ9-2_mQx7vTzLwAb4cD8e'
  const post = (headers: Record<string, string>) =>
    fetch(`${server.api}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

  async function startOpening() {
    const requesters: Requester[] = []
    await start({
      open: async (_request, requester) => {
        requesters.push(requester)
        const auction = createScriptedAuction()
        setImmediate(() => {
          auction.emit(done)
          auction.finish(summary)
        })
        return { ok: true, value: auction }
      },
    })
    return requesters
  }

  test('default', async () => {
    const requesters = await startOpening()
    expect((await post({ 'idempotency-key': key })).status).toBe(200)
    expect((await post({})).status).toBe(200)
    const audience = `http://localhost:${new URL(server.api).port}`
    expect(requesters).toEqual([
      { address: '127.0.0.1', audience, key },
      { address: '127.0.0.1', audience },
    ])
  })

  test.each(['', 'short', 'x'.repeat(129), '1'.repeat(22), `${key} `.repeat(2), `${key}ä`, `${key}, ${key}`])(
    'error: %j is not a key and is not repeated',
    async (given) => {
      const requesters = await startOpening()
      const response = await post({ 'idempotency-key': given })
      expect(response.status).toBe(400)
      const problem = await problemOf(response)
      expect(problem).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'Idempotency-Key' }] })
      expect(requesters).toEqual([])
      if (given.length < 5) return
      expect(JSON.stringify(problem)).not.toContain(given.slice(0, 21))
      while (!server.logs.some(({ msg }) => msg === 'request')) await new Promise((go) => setTimeout(go, 2))
      expect(JSON.stringify(server.logs)).not.toContain(given.slice(0, 21))
    },
  )

  test('error: it belongs to another request', async () => {
    await start({ open: async () => ({ ok: false, rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } }) })
    const response = await post({ 'idempotency-key': key })
    expect(response.status).toBe(422)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(JSON.stringify(problem)).not.toContain(key)
  })
})

describe.each(['/rfq/quote', '/rfq/quote/stream'])('X-Api-Key at POST %s', (path) => {
  const apiKey = 'integrator_key-of_22_characters'
  const id = createHash('sha256').update(apiKey).digest('hex')
  const integrator = { id, limits: { rfqsPerMinute: 600, openRfqs: 100 } }

  async function requestersOf(headers: Record<string, string>) {
    const requesters: Requester[] = []
    const open: NonNullable<Parameters<typeof start>[0]>['open'] = async (_request, requester) => {
      requesters.push(requester)
      return { ok: false, rejection: { code: 'OVERLOADED' } }
    }
    await start({ open }, {}, (hash) => (hash === id ? { ok: true, integrator } : { ok: false, message: 'is wrong' }))
    const given = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${server.api}${path}`, { method: 'POST', headers: given, body })
    return { requesters, response }
  }

  test('default: the integrator with the configured hash of the key', async () => {
    const { requesters } = await requestersOf({ 'x-api-key': apiKey })
    expect(requesters).toMatchObject([{ address: '127.0.0.1', integrator }])
    expect((await requestersOf({})).requesters[0]).not.toHaveProperty('integrator')
  })

  test.each([`${apiKey}x`, 'short', id])(
    'error: %j is not a key for this service and is neither repeated nor logged',
    async (given) => {
      const { requesters, response } = await requestersOf({ 'x-api-key': given })
      expect(response.status).toBe(400)
      const problem = await problemOf(response)
      expect(problem).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: 'X-Api-Key' }] })
      expect(requesters).toEqual([])
      while (!server.logs.some(({ msg }) => msg === 'request')) await new Promise((go) => setTimeout(go, 2))
      expect(JSON.stringify([problem, server.logs])).not.toContain(given)
    },
  )
})

test('behavior: GET /config has the origin that proofs of taker are signed for', async () => {
  await start({}, { audience: 'wss://rfq.example.com/ws/rfq' })
  expect(await (await fetch(`${server.api}/config`)).json()).toMatchObject({ takerAudience: 'https://rfq.example.com' })
})

test('behavior: a page from another origin may send both', async () => {
  await start()
  const response = await fetch(`${server.api}/rfq/quote`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'idempotency-key' },
  })
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect(allowed).toEqual(expect.arrayContaining(['idempotency-key', 'last-event-id', 'content-type']))
})
