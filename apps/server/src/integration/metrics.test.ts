import { systemClock } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { measureService } from '../app/measureService.ts'
import type { Service } from '../app/service.ts'
import { AuctionAbortedError, StorageUnavailableError } from '../ports/errors.ts'
import type { Metrics } from '../ports/metrics.ts'
import { listenForTest } from '../testing/listenForTest.ts'
import { type RealServer, startRealServer } from '../testing/realServer.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpcProxy.ts'
import { createScriptedAuction, createScriptedService, testDomain } from '../testing/scriptedService.ts'
import { createQuote, domainOf, signQuote } from '../testing/signedQuotes.ts'
import { connectBacker } from '../testing/socketClient.ts'

let devnet: Devnet
let node: RpcProxy
let server: RealServer

beforeAll(async () => {
  devnet = await startDevnet()
  node = await startRpcProxy(devnet.rpcUrl)
  server = await startRealServer(devnet, { durationMs: 300, rpcUrl: node.url })
})
afterAll(async () => {
  await server?.close()
  await node?.close()
  await devnet?.stop()
})

const read = async () => (await fetch(`${server.url}/metrics`)).text()
/** The value of a line of the page. */
const figure = (page: string, line: string) =>
  Number(
    page
      .split('\n')
      .find((text) => text.startsWith(`${line} `))
      ?.slice(line.length + 1),
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
    const before = await read()
    const line = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
    const [{ poolId }] = devnet.pools
    const result = post('/rfq/quote', { poolId, expiry: Math.floor(Date.now() / 1_000), notional: '1000000000' })
    const rfq = await line.next('rfq')
    const during = await read()
    const { rfqId, seriesKey, notional } = rfq
    const quote = createQuote(devnet, backer, { seriesKey, notional: BigInt(notional) })
    line.send({ type: 'quote', rfqId, quote: await signQuote(backer, domainOf(devnet), quote) })
    expect(await line.next('quote_ack')).toMatchObject({ status: 'accepted' })
    expect((await result).status).toBe(200)
    const listed = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    expect((await post('/quotes', listed)).status).toBe(201)
    expect((await post('/quotes', { ...listed, vrtAmount: '1' })).status).toBe(422)

    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const page = await response.text()
    const gained = (name: string) => figure(page, name) - (figure(before, name) || 0)
    expect({
      opened: gained('firmquote_auctions_opened_total'),
      closed: gained('firmquote_auctions_closed_total{outcome="done"}'),
      aborted: gained('firmquote_auctions_closed_total{outcome="aborted"}'),
      socket: gained('firmquote_quotes_total{from="socket",verdict="ACCEPTED"}'),
      http: gained('firmquote_quotes_total{from="http",verdict="ACCEPTED"}'),
      refused: gained('firmquote_quotes_total{from="http",verdict="BAD_SIGNATURE"}'),
      acknowledged: gained('firmquote_quote_acknowledgement_seconds_count{from="socket"}'),
    }).toEqual({ opened: 1, closed: 1, aborted: 0, socket: 1, http: 1, refused: 1, acknowledged: 1 })
    const waited = figure(page, 'firmquote_quote_acknowledgement_seconds_sum{from="socket"}')
    expect(waited).toBeGreaterThan(0)
    expect(waited).toBeLessThan(5)
    expect([before, during, page].map((text) => figure(text, 'firmquote_auctions_open'))).toEqual([0, 1, 0])
    expect([before, during].map((text) => figure(text, 'firmquote_backers_connected'))).toEqual([0, 1])
    expect(figure(page, 'firmquote_sync_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(figure(page, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    await line.end()
  })

  test('behavior: requests that the node fails are counted', async () => {
    const failures = async () => figure(await read(), 'firmquote_rpc_failures_total{kind="silent"}')
    const before = await failures()
    node.interfere = () => ({ status: 502 })
    const [maker] = devnet.backers
    const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    expect((await post('/quotes', quote)).status).toBe(503)
    node.interfere = () => undefined
    const page = await read()
    expect(await failures()).toBeGreaterThan(before)
    expect(figure(page, 'firmquote_quotes_total{from="http",verdict="CHAIN_UNAVAILABLE"}')).toBe(1)
  })

  test('behavior: no account, no hash, no address of a node', async () => {
    const page = await read()
    expect(page).not.toMatch(/0x[0-9a-fA-F]{8}|[0-9a-f]{32}/)
    expect(page).not.toContain(new URL(node.url).host)
  })
})

describe('measureService', () => {
  const counted: unknown[][] = []
  const metrics: Metrics = {
    auctionOpened: () => void counted.push(['opened']),
    auctionClosed: (outcome) => void counted.push(['closed', outcome]),
    quoteJudged: ({ from, verdict }) => void counted.push([from, verdict]),
    rpcFailed: (kind) => void counted.push([kind]),
  }
  const measured = (overrides: Parameters<typeof createScriptedService>[0]): Service =>
    measureService(createScriptedService(overrides).service, { metrics, clock: systemClock })

  test('behavior: an auction that the server ends is aborted, one that is refused was never open', async () => {
    counted.length = 0
    const result = Promise.reject(new AuctionAbortedError())
    const auction = { ...createScriptedAuction(), result }
    const request = { poolId: '0x', notional: 1n, expiry: 1 } as const
    await measured({ hub: { open: async () => ({ ok: true, value: auction }) } }).hub.open(request, 'x')
    await measured({ hub: { open: async () => ({ ok: false, rejection: { code: 'OVERLOADED' } }) } }).hub.open(
      request,
      'x',
    )
    await expect(result).rejects.toBeInstanceOf(AuctionAbortedError)
    expect(counted).toEqual([['opened'], ['closed', 'aborted']])
  })

  test('error: a failure is counted by its code and goes on', async () => {
    counted.length = 0
    const [maker] = devnet.backers
    const failing = async () => Promise.reject(new StorageUnavailableError('gone'))
    const service = measured({ book: { submit: failing } })
    const quote = { ...createQuote(devnet, maker), signature: '0x' } as const
    await expect(service.book.submit(quote)).rejects.toBeInstanceOf(StorageUnavailableError)
    expect(counted).toEqual([['http', 'STORAGE_UNAVAILABLE']])
  })
})

describe('/livez and /readyz', () => {
  const block = { number: 1n, hash: `0x${'11'.repeat(32)}`, timestamp: 1n } as const
  const status = { head: block, synced: block, lagSeconds: 0, state: 'ok' } as const
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

  test('default: both are well on the real thing', async () => {
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
  ] as const)('behavior: database %s and sync %j: ready is %d, alive is 200', async (database, changes, expected) => {
    const [code, type, text] = await probe('/readyz', changes, database)
    expect([code, type]).toEqual([expected, expected === 200 ? 'text/plain' : 'application/problem+json'])
    if (expected === 503) {
      expect(JSON.parse(text)).toMatchObject({
        code: database === 'down' ? 'STORAGE_UNAVAILABLE' : 'CHAIN_UNAVAILABLE',
      })
    }
    expect((await probe('/livez', changes, database))[0]).toBe(200)
  })

  test('behavior: on its way out the process is alive and not ready', async () => {
    let end = () => {}
    const shutDown = () =>
      new Promise<void>((resolve) => {
        end = resolve
      })
    const listening = await listenForTest({ ...createScriptedService({ hub: { shutDown } }), domain: testDomain })
    const closed = listening.close()
    const [alive, ready] = await Promise.all(['/livez', '/readyz'].map((path) => fetch(listening.url + path)))
    expect([alive?.status, ready?.status]).toEqual([200, 503])
    end()
    await closed
  })
})
