import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { recoverSigner } from '@firmquote/core/protocol'
import { systemClock } from '@firmquote/core/utils'
import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedAuction, createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { connectBacker, openSocket } from '../../test/socketClient.ts'
import { createPromMetrics } from '../adapters/promMetrics.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { createFirmquoteServer } from '../start/createFirmquoteServer.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const rfqBody = JSON.stringify({ poolId: `0x${'22'.repeat(32)}`, expiry: 1_800_000_000, notional: '1000000' })
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: rfqBody }

const running: ListeningServer[] = []
async function start(...options: Parameters<typeof listenForTest>) {
  const server = await listenForTest(...options)
  running.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

/** Sends raw text and returns everything received before the connection ends. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('error', () => {})
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

function problemIn(answer: string) {
  const [, body = ''] = answer.split('\r\n\r\n')
  return decodeOrThrow(problemShape, JSON.parse(body), 'problem')
}

describe('listen', () => {
  test('default', async () => {
    const server = await start({ ...createScriptedService(), domain: testDomain })
    const config = await fetch(`${server.api}/config`)
    expect(config.status).toBe(200)
    expect(await config.json()).toMatchObject({ chainId: 8453, auction: { durationMs: 300 } })
  })

  test('behavior: the default audience contains the actual port', async () => {
    const server = await start({ ...createScriptedService(), domain: testDomain })
    const client = openSocket(server.wsUrl)
    const { challenge } = await client.next('auth_challenge')
    expect(challenge).toContain(`|ws://localhost:${server.port}/ws/rfq|`)
    await client.end()
  })

  test('error: a port in use is reported in one sentence', async () => {
    const { service } = createScriptedService()
    const first = await start({ service, domain: testDomain })
    const log = pino({ level: 'silent' })
    const second = createFirmquoteServer({
      service,
      domain: testDomain,
      signatures: { recoverSigner },
      clock: systemClock,
      random: randomBytes,
      log,
      metrics: createPromMetrics(),
    })
    const failure = await second.listen({ port: first.port, host: '127.0.0.1' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect((failure as ConfigurationError).shortMessage).toBe(
      `Port ${first.port} is already in use; stop the process that is listening on it, or set PORT to a different port.`,
    )
    await second.close()
  })

  test('error: an audience that is not the URL of a backer socket', async () => {
    await expect(
      listenForTest({ ...createScriptedService(), domain: testDomain, audience: 'https://example.com/' }),
    ).rejects.toThrow(ConfigurationError)
  })
})

const handshake =
  'GET /ws/rfq HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

const upgrade = (path: string, lines: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n${lines}\r\n\r\n`

describe('raw requests', () => {
  test.each([
    ['bytes that are not HTTP', 'NONSENSE\x00\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'headers that are too large',
      `GET /api/v1/config HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'INVALID_REQUEST',
    ],
    ['a URL that is too long', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'INVALID_REQUEST'],
    ['an upgrade of another path', upgrade('/ws/other', 'Upgrade: websocket'), 404, 'NOT_FOUND'],
    ['a malformed handshake', upgrade('/ws/rfq', 'Upgrade: websocket\r\nSec-WebSocket-Key: short'), 400, null],
    [
      'an upgrade to another protocol, which is ignored',
      upgrade('/api/v1/config', 'Upgrade: h2c').replace('Upgrade\r', 'Upgrade, close\r'),
      200,
      null,
    ],
  ] as const)('behavior: %s', async (_what, text, status, code) => {
    const server = await start({ ...createScriptedService(), domain: testDomain })
    const answer = await exchange(server.port, text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (code) expect(problemIn(answer)).toMatchObject({ status, code })
    // Other connections must be unaffected.
    expect((await fetch(`${server.api}/health`)).status).toBe(200)
  })

  test('error: malformed bytes during an answer do not add a second answer', async () => {
    const auction = createScriptedAuction()
    const { service } = createScriptedService({ hub: { open: async () => ({ ok: true, value: auction }) } })
    const server = await start({ service, domain: testDomain })
    const answer = await exchange(
      server.port,
      `POST /api/v1/rfq/quote/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${rfqBody.length}\r\n\r\n${rfqBody}\x00\x01 garbage\r\n\r\n`,
    )
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(answer).not.toContain('problem+json')
  })

  test("error: the socket's path without an upgrade returns 426", async () => {
    const server = await start({ ...createScriptedService(), domain: testDomain })
    const response = await fetch(`${server.url}/ws/rfq`)
    expect(response.status).toBe(426)
    expect(response.headers.get('upgrade')).toBe('websocket')
    expect(await response.json()).toMatchObject({ status: 426, code: 'INVALID_REQUEST' })
  })
})

describe('close', () => {
  test('default: streams end, waiting borrowers get a 503, backers 1001, and every connection ends', async () => {
    const auctions = [createScriptedAuction(), createScriptedAuction()]
    const opened = [...auctions]
    const bothAsked = createDeferred<void>()
    const { service } = createScriptedService({
      hub: {
        open: async () => {
          const auction = opened.shift()
          if (opened.length === 0) bothAsked.resolve()
          return auction ? { ok: true, value: auction } : { ok: false, rejection: { code: 'OVERLOADED' } }
        },
        stop() {
          for (const auction of auctions) auction.abort()
        },
      },
    })
    const server = await start({ service, domain: testDomain })
    const backer = await connectBacker(server.wsUrl, account)
    // An idle keep-alive connection must not delay the shutdown.
    const agent = new Agent({ keepAlive: true })
    get(`${server.api}/health`, { agent }, (res) => res.resume())
    const stream = await fetch(`${server.api}/rfq/quote/stream`, post)
    const waiting = fetch(`${server.api}/rfq/quote`, post)
    await bothAsked.promise

    const startedAt = performance.now()
    await server.close()
    expect(performance.now() - startedAt).toBeLessThan(1_500)

    expect(await stream.text()).toMatch(/^event: started\nid: [0-9a-f]{32}:0\ndata: .*\n\n$/)
    const refused = await waiting
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('connection')).toBe('close')
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' })
    expect(await backer.closed).toEqual({ code: 1001, reason: 'going_away' })
    await expect(fetch(`${server.api}/health`)).rejects.toThrow()
    agent.destroy()
  })

  test('behavior: while open auctions finish, all clients are served, and then none', async () => {
    const drained = createDeferred<void>()
    const { service } = createScriptedService({ hub: { drain: () => drained.promise } })
    const server = await start({ service, domain: testDomain, limits: { drainMs: 60_000 } })
    const closing = server.close()
    expect((await fetch(`${server.api}/config`)).status).toBe(200)
    const backer = await connectBacker(server.wsUrl, account)
    drained.resolve()
    expect(await backer.closed).toEqual({ code: 1001, reason: 'going_away' })
    await closing
    await expect(fetch(`${server.api}/config`)).rejects.toThrow()
  })

  test('behavior: if other instances may exist, an instance that is stopping refuses new backers', async () => {
    const drained = createDeferred<void>()
    const { service } = createScriptedService({ hub: { drain: () => drained.promise } })
    const server = await start({ service, domain: testDomain, isShared: true, limits: { drainMs: 60_000 } })
    const backer = await connectBacker(server.wsUrl, account)
    const closing = server.close()
    const answer = await exchange(server.port, handshake)
    expect(answer).toMatch(/^HTTP\/1\.1 503 (?:.*\r\n)*Retry-After: \d+\r\n/i)
    expect(problemIn(answer)).toMatchObject({ code: 'OVERLOADED' })
    backer.send({ type: 'ping', id: 'still-served' })
    expect(await backer.next('pong')).toMatchObject({ id: 'still-served' })
    drained.resolve()
    expect(await backer.closed).toEqual({ code: 1001, reason: 'going_away' })
    await closing
  })

  test('behavior: it does not wait for open auctions longer than the limit', async () => {
    const { service } = createScriptedService({
      hub: { drain: () => new Promise(() => {}), count: () => ({ open: 3, backers: 0 }) },
    })
    const clock = createFakeClock()
    const server = await start({ service, domain: testDomain, clock, limits: { drainMs: 17_000 } })
    const closing = server.close()
    clock.advance(16_999)
    expect((await fetch(`${server.api}/config`)).status).toBe(200)
    clock.advance(1)
    await closing
    expect(server.logs).toContainEqual(
      expect.objectContaining({ msg: 'open auctions will be resumed at the next start', auctions: 3 }),
    )
  })

  test('behavior: when the database cannot be written to, sockets are closed with 1012 and streams end', async () => {
    let lose = () => {}
    let isLost = false
    const auction = createScriptedAuction()
    const { service } = createScriptedService({
      hub: { open: async () => ({ ok: true, value: auction }), endFollowing: () => auction.abort() },
      storage: {
        isLost: () => isLost,
        onLost(listener) {
          lose = listener
          return () => {
            lose = () => {}
          }
        },
      },
    })
    const server = await start({ service, domain: testDomain })
    const backer = await connectBacker(server.wsUrl, account)
    const stream = await fetch(`${server.api}/rfq/quote/stream`, post)
    isLost = true
    lose()
    expect(await backer.closed).toMatchObject({ code: 1012 })
    expect(await stream.text()).toMatch(/^event: started\n/)
    // New work is refused until the database recovers, so that a proxy or client tries another instance.
    const answer = await exchange(server.port, handshake)
    expect(answer).toMatch(/^HTTP\/1\.1 503 (?:.*\r\n)*Retry-After: \d+\r\n/i)
    expect(problemIn(answer)).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    isLost = false
    await (await connectBacker(server.wsUrl, account)).end()
    expect((await fetch(`${server.api}/config`)).status).toBe(200)
  })

  test('behavior: connections that stay open are closed after the grace period', async () => {
    const asked = createDeferred<void>()
    const { service } = createScriptedService({
      hub: {
        async open() {
          asked.resolve()
          return { ok: true, value: createScriptedAuction() }
        },
      },
    })
    const server = await start({ service, domain: testDomain, limits: { closeGraceMs: 100 } })
    const silent = connect(server.port, '127.0.0.1')
    silent.on('error', () => {})
    silent.write(handshake)
    await once(silent, 'data')
    const outcome = fetch(`${server.api}/rfq/quote`, post).then(
      () => 'answered',
      () => 'cut',
    )
    await asked.promise
    const startedAt = performance.now()
    await server.close()
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    expect(await outcome).toBe('cut')
    silent.destroy()
  })

  test('behavior: closing twice returns the same promise', async () => {
    const server = await start({ ...createScriptedService(), domain: testDomain })
    const first = server.close()
    expect(server.close()).toBe(first)
    await first
  })
})
