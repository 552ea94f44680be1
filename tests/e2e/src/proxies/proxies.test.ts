import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQSummary } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startPlannedBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { hasProxy, type ProxyFixture, proxyNames, startProxyFixture } from './proxyFixture.ts'

// Tests Debian's nginx and Caddy in front of real servers, with the operators' configurations (apps/server/deploy).

const rfqsPerMinute = 3
const asked = { notional: '250000000000' }
/** The server's largest response, uncompressed. */
const largest = { path: '/docs/swagger-ui-bundle.js', bytes: 1_700_000 }

let fixture: ProxyFixture
const started = stopAfter(afterAll)
beforeAll(async () => {
  const settings = { AUCTION_DURATION_MS: '3000', RFQS_PER_MINUTE: String(rfqsPerMinute) }
  fixture = started(await startProxyFixture(settings))
}, 60_000)

function rfq() {
  const [pool] = fixture.devnet.pools
  return { poolId: pool.poolId, expiry: pool.series[2]?.expiry ?? 0, ...asked }
}

/** Requests a stream from a loopback address, dropping it once the response begins. */
function openFrom(url: string, localAddress: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // Uses the IP address, since the name may resolve to IPv6.
    const sent = request(`${url.replace('localhost', '127.0.0.1')}/api/v1/rfq/quote/stream`, {
      localAddress,
      method: 'POST',
      headers: { ...headers, host: 'localhost', 'content-type': 'application/json' },
      servername: 'localhost',
      agent: false,
    })
    sent.on('response', (response) => {
      resolve(response.statusCode)
      response.destroy()
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(rfq()))
  })
}

/** Requests the largest response a hundred times over each of several connections, without reading anything. */
async function askAndReadNothing(url: string, connections: number) {
  const statuses: (number | undefined)[] = []
  const ask = async (session: ClientHttp2Session) => {
    const stream = session.request({ ':path': largest.path })
    stream.on('error', () => {})
    const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }]
    statuses.push(headers[':status'])
  }
  const sessions = await Promise.all(
    Array.from({ length: connections }, async () => {
      const session = connectHttp2(url, { settings: { initialWindowSize: 1_024 } })
      session.on('error', () => {})
      await once(session, 'remoteSettings')
      await Promise.all(Array.from({ length: 100 }, () => ask(session)))
      return session
    }),
  )
  return { sessions, begun: statuses.filter((status) => status === 200).length, statuses: new Set(statuses) }
}

describe.each(proxyNames)('%s in front of a server', (name) => {
  const given = hasProxy(name) ? test : test.skip

  given("default: a borrower's stream and a maker's socket work over TLS", async () => {
    const { url } = fixture.of(name).proxy
    const maker = fixture.devnet.backers[0]
    const { stop, outcome } = await startPlannedBacker(url, maker, { aprBps: 510n, delayMs: 0 })
    const events: string[] = []
    let arrivedAt = 0
    let summary: RFQSummary | undefined
    const terms = { ...rfq(), notional: BigInt(asked.notional) }
    for await (const event of new ServiceClient({ orderbookUrl: url }).streamQuotes(terms)) {
      if (event.type !== 'progress') events.push(event.type)
      if (event.type === 'quote') arrivedAt = Date.now()
      if (event.type === 'done') summary = event.data
    }
    expect(events).toEqual(['started', 'quote', 'done'])
    // The quote was forwarded before the close, not at the end of the stream.
    expect((summary?.closedAt ?? 0) - arrivedAt).toBeGreaterThan(500)
    expect(await outcome).toBe('best')
    stop()
  })

  // Sends the request from FirmquoteMakersGone's incident page. Uses HTTP/1.1, since nginx forwards the response's
  // `Upgrade` header, which HTTP/2 forbids.
  given("behavior: a plain request to the makers' socket is answered by the server, with 426", async () => {
    const response = await fetch(`${fixture.of(name).proxy.url}/ws/rfq`)
    expect([response.status, await response.json()]).toMatchObject([
      426,
      { detail: expect.stringContaining('WebSocket') },
    ])
  })

  given('default: a stream over HTTP/2 delivers its first event immediately', async () => {
    const session = connectHttp2(fixture.of(name).proxy.url)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/api/v1/rfq/quote/stream',
      'content-type': 'application/json',
    })
    stream.end(JSON.stringify(rfq()))
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect(headers).toMatchObject({ ':status': 200, 'content-type': expect.stringMatching(/^text\/event-stream/) })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    const [first] = (await once(stream, 'data')) as [Buffer]
    expect(first.toString()).toContain('event: started')
    expect(stream.readableEnded).toBe(false)
    session.destroy()
  })

  given('default: plain HTTP is redirected to TLS', async () => {
    const { httpPort } = fixture.of(name)
    const answer = await fetch(`http://localhost:${httpPort}/a?b=c`, { redirect: 'manual' })
    expect([301, 308]).toContain(answer.status)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/localhost(?::\d+)?\/a\?b=c$/)
  })

  given('behavior: metrics are not public, regardless of how the path is written', async () => {
    const { url } = fixture.of(name).proxy
    for (const path of ['/metrics', '/metrics?a=1', '/%6detrics', '//metrics', '/./metrics', '/metrics/', '/METRICS']) {
      const answer = await fetch(`${url}${path}`)
      expect([path, answer.status, (await answer.text()).includes('firmquote_')]).toEqual([path, 404, false])
    }
  })

  given('behavior: limits apply per client, regardless of the address it claims', async () => {
    const { url } = fixture.of(name).proxy
    const claim = (turn: number) => ({ 'x-forwarded-for': `203.0.113.${turn}`, forwarded: `for=203.0.113.${turn}` })
    const statuses: (number | undefined)[] = []
    for (let turn = 0; turn <= rfqsPerMinute; turn++) statuses.push(await openFrom(url, '127.0.0.7', claim(turn)))
    expect(statuses).toEqual([...Array.from({ length: rfqsPerMinute }, () => 200), 429])
    expect(await openFrom(url, '127.0.0.8', claim(0))).toBe(200)
  })

  given(
    'behavior: clients that do not read use bounded memory',
    async () => {
      const { proxy, server } = fixture.of(name)
      const used = () => processesOf(proxy.process.pid).reduce((sum, pid) => sum + residentBytes(pid), server.rss())
      const before = used()
      const { sessions, begun, statuses } = await askAndReadNothing(proxy.url, 4)
      // nginx limits the number of connections per address.
      expect(statuses).toEqual(new Set(name === 'nginx' ? [200, 429] : [200]))
      expect(begun).toBeGreaterThan(100)
      expect(begun).toBeLessThanOrEqual(name === 'nginx' ? 128 : 400)
      // Waits until no more data arrives.
      for (let last = 0, calm = 0; calm < 5; await sleep(100)) {
        const now = used()
        calm = now - last < 1_048_576 ? calm + 1 : 0
        last = now
      }
      const grown = used() - before
      // Nor is it buffered on disk, in deleted files.
      expect(
        processesOf(proxy.process.pid)
          .flatMap(openFiles)
          .filter((file) => /proxied/.test(file)),
      ).toEqual([])
      for (const session of sessions) session.destroy()
      expect(grown).toBeLessThan((begun * largest.bytes) / 4)
      expect(await (await fetch(`${proxy.url}/livez`)).status).toBe(200)
    },
    60_000,
  )
})

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

/** Returns the ids of a process and its children, since nginx serves requests from a child. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      // The file has been closed since.
      return []
    }
  })
}
