import { systemClock } from '@firmquote/core/utils'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { listenForTest } from '../../test/listenForTest.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { type RpcProxy, startRpcProxy } from '../../test/rpcProxy.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker, openSocket } from '../../test/socketClient.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { measureService } from '../app/measure.ts'
import type { Service } from '../app/service.ts'
import { StorageUnavailableError } from '../ports/errors.ts'
import { countedLimits, type Metrics } from '../ports/metrics.ts'

let devnet: Devnet
let node: RpcProxy
let server: RealServer

beforeAll(async () => {
  devnet = await startDevnet()
  node = await startRpcProxy(devnet.rpcUrl)
  server = await startRealServer(devnet, { durationMs: 1_500, rpcUrl: node.url })
})
afterAll(async () => {
  await server?.close()
  await node?.close()
  await devnet?.stop()
})

const fetchPage = async () => (await fetch(`${server.url}/metrics`)).text()
/** Returns the value of a metric. */
const metricValue = (page: string, metric: string) =>
  Number(
    page
      .split('\n')
      .find((text) => text.startsWith(`${metric} `))
      ?.slice(metric.length + 1),
  )
const post = (path: string, body: unknown) =>
  fetch(`${server.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('/metrics', () => {
  test('default: auctions, quotes by verdict, latency, backers, the sync and the event loop', async () => {
    const [maker, backer] = devnet.backers
    const before = await fetchPage()
    const connection = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
    const [{ poolId }] = devnet.pools
    const result = post('/rfq/quote', { poolId, expiry: Math.floor(Date.now() / 1_000) + 60, notional: '1000000000' })
    const rfq = await connection.next('rfq')
    const during = await fetchPage()
    const { rfqId, seriesKey, notional } = rfq
    const quote = createQuote(devnet, backer, { seriesKey, notional: BigInt(notional) })
    connection.send({ type: 'quote', rfqId, quote: await signQuote(backer, domainOf(devnet), quote) })
    expect(await connection.next('quote_ack')).toMatchObject({ status: 'accepted' })
    expect((await result).status).toBe(200)
    const listed = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    expect((await post('/quotes', listed)).status).toBe(201)
    expect((await post('/quotes', { ...listed, vrtAmount: '1' })).status).toBe(422)

    const stranger = openSocket(server.wsUrl)
    await stranger.next('auth_challenge')
    stranger.send({ type: 'auth' })
    expect(await stranger.next('auth_failed')).toMatchObject({ code: 'malformed' })

    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const page = await response.text()
    const gained = (name: string) => metricValue(page, name) - (metricValue(before, name) || 0)
    expect({
      notAuthenticated: gained('firmquote_backers_refused_total{code="malformed"}'),
      opened: gained('firmquote_auctions_opened_total'),
      closed: gained('firmquote_auctions_closed_total{outcome="done"}'),
      interrupted: gained('firmquote_auctions_closed_total{outcome="interrupted"}'),
      socket: gained('firmquote_quotes_total{from="socket",verdict="ACCEPTED"}'),
      http: gained('firmquote_quotes_total{from="http",verdict="ACCEPTED"}'),
      refused: gained('firmquote_quotes_total{from="http",verdict="BAD_SIGNATURE"}'),
      acknowledged: gained('firmquote_quote_acknowledgement_seconds_count{from="socket"}'),
    }).toEqual({
      notAuthenticated: 1,
      opened: 1,
      closed: 1,
      interrupted: 0,
      socket: 1,
      http: 1,
      refused: 1,
      acknowledged: 1,
    })
    const waited = metricValue(page, 'firmquote_quote_acknowledgement_seconds_sum{from="socket"}')
    expect(waited).toBeGreaterThan(0)
    expect(waited).toBeLessThan(5)
    expect([before, during, page].map((text) => metricValue(text, 'firmquote_auctions_open'))).toEqual([0, 1, 0])
    expect([before, during].map((text) => metricValue(text, 'firmquote_backers_connected'))).toEqual([0, 1])
    expect(metricValue(page, 'firmquote_sync_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(metricValue(page, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    await connection.end()
  })

  test('behavior: requests are counted by endpoint and status, and never by their path', async () => {
    const before = await fetchPage()
    const secret = `${server.api}/rfq/0123456789abcdef0123456789abcdef`
    expect((await fetch(secret)).status).toBe(404)
    expect((await fetch(`${server.api}/config`)).status).toBe(200)
    expect((await fetch(`${server.api}/config`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${server.url}/nowhere/0123456789`)).status).toBe(404)
    const page = await fetchPage()
    const gained = (labels: string) => {
      const name = `firmquote_http_requests_total{${labels}}`
      return metricValue(page, name) - (metricValue(before, name) || 0)
    }
    expect({
      found: gained('route="getConfig",status="200"'),
      unknown: gained('route="getAuction",status="404"'),
      wrongMethod: gained('route="none",status="405"'),
      nowhere: gained('route="none",status="404"'),
    }).toEqual({ found: 1, unknown: 1, wrongMethod: 1, nowhere: 1 })
    expect(metricValue(page, 'firmquote_http_request_seconds_count{route="getConfig"}')).toBeGreaterThan(0)
    expect(page).not.toMatch(/nowhere|0123456789/)
  })

  test('behavior: a stream counts as open until its client disconnects, which ends its request', async () => {
    const [{ poolId }] = devnet.pools
    const streams = async () => metricValue(await fetchPage(), 'firmquote_streams_open')
    const abort = new AbortController()
    const response = await fetch(`${server.api}/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, expiry: Math.floor(Date.now() / 1_000) + 60, notional: '1000000000' }),
      signal: abort.signal,
    })
    expect(response.status).toBe(200)
    const during = await fetchPage()
    expect(metricValue(during, 'firmquote_streams_open')).toBe(1)
    abort.abort()
    await waitUntil(async () => (await streams()) === 0)
    expect(await fetchPage()).toContain('firmquote_http_requests_total{route="streamQuotes",status="aborted"} 1')
    await waitUntil(() => server.service.hub.count().open === 0)
  })

  test('behavior: commits and the database are shown, and nothing is waiting once all work is done', async () => {
    const [maker] = devnet.backers
    const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    const commits = (page: string) => metricValue(page, 'firmquote_database_commit_seconds_count')
    const before = await fetchPage()
    expect((await post('/quotes', quote)).status).toBe(201)
    const page = await fetchPage()
    expect(commits(page)).toBeGreaterThan(commits(before))
    const gauges = ['readable', 'writable', 'whole', 'failed_writes_total', 'writes_waiting']
    expect(gauges.map((name) => metricValue(page, `firmquote_database_${name}`))).toEqual([1, 1, 1, 0, 0])
    expect(metricValue(page, 'firmquote_quotes_waiting{from="http"}')).toBe(0)
    const [node, store] = ['node', 'store'].map((of) => metricValue(page, `firmquote_chain_block{of="${of}"}`))
    expect(node).toBeGreaterThan(0)
    expect(store).toBe(node)
    expect(metricValue(page, 'firmquote_head_age_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('behavior: rejections because of a limit are counted by setting', async () => {
    const small = await startRealServer(devnet, {
      serviceLimits: { rfqsPerMinute: 2, openRfqs: 1, storedQuotesPerMaker: 1 },
    })
    const ask = async (path: string, body: unknown) => {
      const response = await fetch(`${small.api}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return ((await response.json()) as { code?: string }).code ?? response.status
    }
    const [{ poolId }] = devnet.pools
    const rfq = { poolId, expiry: Math.floor(Date.now() / 1_000) + 60, notional: '1000000000' }
    const [maker] = devnet.backers
    const quotes = await Promise.all([1, 2].map(() => signQuote(maker, domainOf(devnet), createQuote(devnet, maker))))
    const first = ask('/rfq/quote', rfq)
    await waitUntil(() => small.service.hub.count().open === 1)
    expect(await ask('/rfq/quote', rfq)).toBe('TOO_MANY_OPEN')
    expect(await first).toBe(200)
    expect(await ask('/rfq/quote', rfq)).toBe(200)
    expect(await ask('/rfq/quote', rfq)).toBe('RATE_LIMITED')
    expect([await ask('/quotes', quotes[0]), await ask('/quotes', quotes[1])]).toEqual([201, 'TOO_MANY_OPEN'])
    const page = await (await fetch(`${small.url}/metrics`)).text()
    await small.close()
    const reached = countedLimits.map((setting) => [
      setting,
      metricValue(page, `firmquote_limit_reached_total{setting="${setting}"}`),
    ])
    expect(Object.fromEntries(reached)).toEqual({
      RFQS_PER_MINUTE: 1,
      OPEN_RFQS: 1,
      OPEN_AUCTIONS: 0,
      STORED_QUOTES_PER_MAKER: 1,
      RUNNING_JUDGEMENTS: 0,
      READS_PER_MINUTE: 0,
    })
  })

  test('behavior: a backer that disconnects without answering the challenge is counted, and a refused backer is counted once', async () => {
    const refused = async (code: string) =>
      metricValue(await fetchPage(), `firmquote_backers_refused_total{code="${code}"}`) || 0
    const before = { malformed: await refused('malformed'), unanswered: await refused('unanswered') }
    const refusing = openSocket(server.wsUrl)
    await refusing.next('auth_challenge')
    refusing.send({ type: 'auth' })
    await refusing.closed
    const leaving = openSocket(server.wsUrl)
    await leaving.next('auth_challenge')
    leaving.socket.close()
    await waitUntil(async () => (await refused('unanswered')) > before.unanswered)
    expect(await refused('unanswered')).toBe(before.unanswered + 1)
    expect(await refused('malformed')).toBe(before.malformed + 1)
  })

  test('behavior: failed requests to the node are counted', async () => {
    const failures = async () =>
      metricValue(await fetchPage(), 'firmquote_rpc_failures_total{kind="silent",node="node"}')
    const before = await failures()
    node.interfere = () => ({ status: 502 })
    const [maker] = devnet.backers
    const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    expect((await post('/quotes', quote)).status).toBe(503)
    node.interfere = () => undefined
    const page = await fetchPage()
    expect(await failures()).toBeGreaterThan(before)
    expect(metricValue(page, 'firmquote_quotes_total{from="http",verdict="CHAIN_UNAVAILABLE"}')).toBe(1)
  })

  test('behavior: shows no accounts, hashes or node URLs', async () => {
    const page = await fetchPage()
    expect(page).not.toMatch(/0x[0-9a-fA-F]{8}|[0-9a-f]{32}/)
    expect(page).not.toContain(new URL(node.url).host)
  })
})

describe('measureService', () => {
  const counted: unknown[][] = []
  const metrics: Metrics = {
    auctionOpened: () => void counted.push(['opened']),
    auctionClosed: (outcome) => void counted.push(['closed', outcome]),
    auctionAbandoned: () => void counted.push(['abandoned']),
    makerSuspended: () => void counted.push(['suspended']),
    seatGivenBack: () => void counted.push(['given back']),
    backerRefused: (code) => void counted.push(['not authenticated', code]),
    statusTold: ({ status }) => void counted.push(['told', status]),
    quoteArrived: (from) => void counted.push(['arrived', from]),
    quoteJudged: ({ from, verdict }) => void counted.push([from, verdict]),
    writeAsked: () => void counted.push(['asked']),
    writeEnded: ({ outcome }) => void counted.push(['write', outcome]),
    limitReached: (limit) => void counted.push(['limit', limit]),
    requestEnded: ({ route, status }) => void counted.push([route, status]),
    streamOpened: () => void counted.push(['stream opened']),
    streamEnded: () => void counted.push(['stream ended']),
    requestRefused: (code) => void counted.push(['refused', code]),
    connectionCut: (reason) => void counted.push(['cut', reason]),
    rpcFailed: (kind) => void counted.push([kind]),
    nodeInUse: ({ name }) => void counted.push(['node', name]),
    hintsDropped: (reason) => void counted.push(['dropped', reason]),
    clockStepped: () => void counted.push(['stepped']),
    busConnected: (connected) => void counted.push(['bus', connected]),
  }
  const measured = (overrides: Parameters<typeof createScriptedService>[0]): Service =>
    measureService(createScriptedService(overrides).service, { metrics, clock: systemClock })

  test('error: a failure is counted by its code and rethrown', async () => {
    counted.length = 0
    const [maker] = devnet.backers
    const failing = async () => Promise.reject(new StorageUnavailableError('gone'))
    const service = measured({ book: { submit: failing } })
    const quote = { ...createQuote(devnet, maker), signature: '0x' } as const
    await expect(service.book.submit(quote)).rejects.toBeInstanceOf(StorageUnavailableError)
    expect(counted).toEqual([
      ['arrived', 'http'],
      ['http', 'STORAGE_UNAVAILABLE'],
    ])
  })
})

describe('/livez and /readyz', () => {
  const block = { number: 1n, hash: `0x${'11'.repeat(32)}`, timestamp: 1n } as const
  const status = { head: block, synced: block, lagSeconds: 0, failing: false, disagrees: false, state: 'ok' } as const
  const probe = async (
    path: string,
    changes: Partial<ReturnType<Service['sync']['status']>>,
    database: 'ok' | 'down',
  ) => {
    const { service } = createScriptedService()
    const health = async () => ({ ...(await service.health()), database })
    const sync = { ...service.sync, status: () => ({ ...status, ...changes }) }
    const listening = await listenForTest({ service: { ...service, sync, health }, domain: testDomain })
    const response = await fetch(listening.url + path)
    const text = await response.text()
    await listening.close()
    return [response.status, response.headers.get('content-type')?.split(';')[0], text] as const
  }

  test('default: both succeed on a complete server', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await (await fetch(`${server.url}/livez`)).text()).toBe('alive\n')
  })

  test.each([
    ['ok', {}, 200],
    ['ok', { state: 'degraded' }, 200],
    ['down', {}, 503],
    ['ok', { head: null }, 503],
    ['ok', { state: 'starting' }, 503],
    ['ok', { state: 'stale' }, 503],
    ['ok', { failing: true }, 503],
    ['ok', { failing: true, disagrees: true }, 503],
  ] as const)('behavior: database %s and sync %j: ready is %d, alive is 200', async (database, changes, expected) => {
    const [code, type, text] = await probe('/readyz', changes, database)
    expect([code, type]).toEqual([expected, expected === 200 ? 'text/plain' : 'application/problem+json'])
    if (expected === 503) {
      expect(JSON.parse(text)).toMatchObject({
        code:
          database === 'down'
            ? 'STORAGE_UNAVAILABLE'
            : 'disagrees' in changes
              ? 'CHAIN_DISAGREES'
              : 'CHAIN_UNAVAILABLE',
      })
    }
    expect((await probe('/livez', changes, database))[0]).toBe(200)
  })

  test('behavior: during a shutdown the process is alive, not ready, and serves open auctions', async () => {
    const drained = createDeferred<void>()
    const { service } = createScriptedService({ hub: { drain: () => drained.promise } })
    const { hub } = service
    const listening = await listenForTest({
      service: { ...service, hub, sync: { ...service.sync, status: () => status } },
      domain: testDomain,
      limits: { drainMs: 60_000 },
    })
    expect((await fetch(`${listening.url}/readyz`)).status).toBe(200)
    const closed = listening.close()
    const answers = await Promise.all(
      ['/livez', '/readyz', '/api/v1/config'].map(async (path) => {
        const response = await fetch(listening.url + path)
        return [path, response.status, await response.text()] as const
      }),
    )
    expect(answers.map(([path, code]) => [path, code])).toEqual([
      ['/livez', 200],
      ['/readyz', 503],
      ['/api/v1/config', 200],
    ])
    expect(JSON.parse(answers[1]?.[2] ?? '')).toMatchObject({ code: 'OVERLOADED' })
    drained.resolve()
    await closed
  })
})
