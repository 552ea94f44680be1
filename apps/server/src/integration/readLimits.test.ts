import { createHash } from 'node:crypto'
import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedService, testDomain, testRfq } from '../../test/scriptedService.ts'
import type { FindIntegrator } from '../app/control/integrators.ts'

const key = 'integrator_key-of_22_characters'
const id = createHash('sha256').update(key).digest('hex')
const integrator = { id, limits: { rfqsPerMinute: 1_000_000, openRfqs: 4 } }
const findIntegrator: FindIntegrator = (hash) =>
  hash === id ? { ok: true, integrator } : { ok: false, message: 'is not a valid API key for this service' }

let server: ListeningServer | undefined
afterEach(() => server?.close())

/** Starts a server, and returns a function that sends a request from an address. */
async function start() {
  const clock = createFakeClock()
  const listening = await listenForTest({
    ...createScriptedService({ findIntegrator }),
    ...{ domain: testDomain, clock, trustProxy: true, limits: { readsPerMinute: 60 } },
  })
  server = listening
  const ask = (path: string, ip: string, init: RequestInit = {}) =>
    fetch(`${listening.api}${path}`, { ...init, headers: { ...init.headers, 'x-forwarded-for': ip } })
  return { clock, ask, url: listening.url }
}

test('default: a client that reads too much is refused until it can pay, and others are served', async () => {
  const { clock, ask, url } = await start()
  const client = '192.0.2.1'
  expect((await ask('/quotes', client)).status).toBe(200)
  // The burst is a sixth of 60, and a list costs 8.
  const refused = await ask('/quotes', client)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('6')
  const problem = decodeOrThrow(problemShape, await refused.json(), 'problem')
  expect(problem).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 6 } })
  expect((await ask('/quotes', '192.0.2.2')).status).toBe(200)
  clock.advance(6_000)
  expect((await ask('/quotes', client)).status).toBe(200)
  const page = await (await fetch(`${url}/metrics`)).text()
  expect(page).toContain('firmquote_limit_reached_total{setting="READS_PER_MINUTE"} 1\n')
  expect(page).toContain('firmquote_requests_refused_total{code="RATE_LIMITED"} 1\n')
})

test('behavior: free reads and posts are answered after the reads are used up', async () => {
  const { ask, url } = await start()
  const client = '192.0.2.1'
  while ((await ask('/quotes?limit=x', client)).status !== 429);
  const body = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const rfq = { ...body, body: JSON.stringify({ poolId: testRfq.poolId, expiry: 1_800_000_000, notional: '1' }) }
  const stream = await ask('/rfq/quote/stream', client, rfq)
  const free = [await ask('/config', client), await fetch(`${url}/livez`), await fetch(`${url}/openapi.json`), stream]
  expect(free.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await stream.body?.cancel()
})

test("behavior: an integrator's reads are not charged to its address, and an unknown key is ignored", async () => {
  const { ask } = await start()
  const client = '192.0.2.1'
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await ask('/quotes', client, { headers: { 'x-api-key': key } })).status).toBe(200)
  }
  const other = { headers: { 'x-api-key': `${key}x` } }
  expect([(await ask('/quotes', client, other)).status, (await ask('/quotes', client, other)).status]).toEqual([
    200, 429,
  ])
})

test('behavior: rate histories are answered while more are being read than the cache holds', async () => {
  const { service } = createScriptedService()
  const asked = createDeferred<void>()
  const seen: unknown[] = []
  const history = async () => {
    seen.push(null)
    if (seen.length === 30) asked.resolve()
    await asked.promise
    return { poolId: testRfq.poolId, from: 0, to: 0, step: 3_600, floating: [], fixed: [] }
  }
  server = await listenForTest({
    service: { ...service, markets: { ...service.markets, history } },
    domain: testDomain,
  })
  const path = `${server.api}/rates/history?poolId=${testRfq.poolId}`
  const answers = Array.from({ length: 30 }, (_, turn) => fetch(`${path}&from=${1_700_000_000 + turn}`))
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]))
})
