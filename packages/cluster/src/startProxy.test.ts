import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { freePort } from './freePort.ts'
import { findProxy, type ProxyName, proxies, type ReverseProxy, startProxy } from './startProxy.ts'

/** How an upstream handles requests other than `/readyz`. */
type Behaviour = 'answers' | 'breaks off' | 'is not ready'

/** Starts a minimal server that records its requests. */
async function startUpstream(name: string) {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []
  const sockets = new Set<Socket>()
  const state = { behaviour: 'answers' as Behaviour }
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.writeHead(state.behaviour === 'is not ready' ? 503 : 200).end()
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      if (state.behaviour === 'breaks off') return void request.socket.destroy()
      if (state.behaviour === 'is not ready') return void response.writeHead(503, { 'retry-after': '7' }).end(name)
      if (url !== '/stream') return void response.end(name)
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      response.write('event: started\n\n')
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request, socket) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: '' })
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.write(name)
    socket.on('data', (chunk: Buffer) => socket.write(chunk))
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    name,
    seen,
    state,
    port,
    /** Closes all connections and stops immediately, like a killed process. */
    async kill() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    start: () => listen(port),
    get runs() {
      return server.listening
    },
  }
}

let clients: Socket[] = []

/** Opens a client connection and collects what it receives. */
function send(port: number, text: string) {
  const socket = connect({ port, host: '127.0.0.1' })
  clients.push(socket)
  let received = ''
  let look = () => {}
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
    look()
  })
  socket.write(text)
  return {
    socket,
    shows: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve) => {
        look = () => {
          const found = pattern.exec(received)
          if (found) resolve(found)
        }
        look()
      }),
  }
}

const upgrade = 'GET /ws/rfq HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

const names = Object.keys(proxies) as ProxyName[]
describe.each(names)('%s in front of two servers', (name) => {
  const given = proxies[name].find() ? test : test.skip
  let folder: string
  let proxy: ReverseProxy
  let upstreams: Awaited<ReturnType<typeof startUpstream>>[]
  const both = () => [...upstreams.flatMap(({ seen }) => seen)]
  // nginx always retries a failed request on the other server. Caddy checks its upstreams once a second, and Debian's
  // Caddy never resends a body.
  const sendsBodiesTwice = name === 'nginx'
  const untilNoticed = async (status: () => Promise<number>) => {
    for (let inARow = 0; inARow < 4; ) inARow = (await status()) === 200 ? inARow + 1 : 0
  }
  const ask = (path: string, init?: RequestInit) =>
    fetch(`${proxy.url}${path}`, { ...init, signal: AbortSignal.timeout(10_000) })

  beforeAll(async () => {
    if (!proxies[name].find()) return
    folder = mkdtempSync(join(tmpdir(), 'firmquote-proxy-'))
    upstreams = await Promise.all(['first', 'second'].map(startUpstream))
    const servers = upstreams.map(({ port }) => port)
    proxy = await startProxy({ name, folder, port: await freePort(), servers })
  })
  beforeEach(async () => {
    for (const upstream of upstreams ?? []) {
      upstream.seen.length = 0
      upstream.state.behaviour = 'answers'
      if (!upstream.runs) await upstream.start()
    }
    if (!proxy) return
    // Caddy notices at its next check that both upstreams are available again.
    for (const seen = new Set<string>(); seen.size < 2; ) seen.add(await (await ask('/')).text())
    for (const upstream of upstreams) upstream.seen.length = 0
  })
  afterEach(() => {
    for (const client of clients) client.destroy()
    clients = []
  })
  afterAll(async () => {
    await proxy?.stop()
    for (const upstream of upstreams ?? []) if (upstream.runs) await upstream.kill()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  given('default: sockets are passed on, spread evenly', async () => {
    const port = Number(new URL(proxy.url).port)
    const sockets = [1, 2, 3, 4].map(() => send(port, upgrade))
    const found = await Promise.all(sockets.map(({ shows }) => shows(/(first|second)$/)))
    expect(found.map(([, upstream]) => upstream).sort()).toEqual(['first', 'first', 'second', 'second'])
    for (const { socket, shows } of sockets) {
      socket.write('echo')
      await shows(/echo$/)
    }
  })

  given('behavior: a killed server is passed over, for every request and socket', async () => {
    const [first, second] = upstreams
    await first?.kill()
    if (!sendsBodiesTwice) await untilNoticed(async () => (await ask('/', { method: 'POST', body: 'x' })).status)
    if (second) second.seen.length = 0
    for (let request = 0; request < 4; request++) {
      expect(await (await ask('/')).text()).toBe('second')
      expect(await (await ask('/', { method: 'POST', body: 'x' })).text()).toBe('second')
      await send(Number(new URL(proxy.url).port), upgrade).shows(/second$/)
    }
    expect(second?.seen).toHaveLength(12)
  })

  given('behavior: one that breaks off is tried again elsewhere only if nothing can be done twice', async () => {
    for (const upstream of upstreams) upstream.state.behaviour = 'breaks off'
    const counts: Record<string, number> = {}
    const body = JSON.stringify({ notional: '1'.repeat(4_000) })
    const keyed = { method: 'POST', body, headers: { 'Idempotency-Key': 'k'.repeat(22) } }
    for (const [kind, init] of Object.entries({ read: {}, keyed, plain: { method: 'POST', body } })) {
      for (const upstream of upstreams) upstream.seen.length = 0
      expect((await ask('/api/v1/rfq/quote', init)).status).toBe(503)
      counts[kind] = both().length
      if (kind === 'keyed') expect(new Set(both().map((request) => request.body))).toEqual(new Set([body]))
    }
    expect(counts['plain']).toBe(1)
    expect(counts['read']).toBeGreaterThan(1)
    if (sendsBodiesTwice) expect(counts['keyed']).toBeGreaterThan(1)
  })

  given('behavior: what fails is not logged with its path, which has the id of an auction, or its keys', async () => {
    for (const upstream of upstreams) upstream.state.behaviour = 'breaks off'
    const secrets = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)] as const
    const headers = { 'X-Api-Key': secrets[1], 'Idempotency-Key': secrets[2] }
    const answer = await ask(`/api/v1/rfq/${secrets[0]}/stream`, { method: 'POST', body: 'x', headers })
    expect(answer.status).toBe(503)
    // Caddy logs only that a request failed. By default, nginx and Caddy would log the request itself.
    for (const end = Date.now() + 2_000; name === 'caddy' && !/EOF|reset/.test(proxy.process.output()); ) {
      if (Date.now() > end) throw new Error(`Caddy logged nothing:\n${proxy.process.output()}`)
      await ask('/readyz')
    }
    for (const secret of secrets) expect(proxy.process.output()).not.toContain(secret)
  })

  const requests = {
    read: {},
    keyed: { method: 'POST', body: 'x', headers: { 'Idempotency-Key': 'k'.repeat(22) } },
    plain: { method: 'POST', body: 'x' },
  }
  const codes = { read: 'OVERLOADED', keyed: 'OVERLOADED', plain: 'OUTCOME_UNKNOWN' }
  const headersOf = ({ headers }: Response, wanted: readonly string[]) =>
    Object.fromEntries(wanted.map((header) => [header, headers.get(header)]))

  given('behavior: if every server refuses, the client receives the refusal of a server', async () => {
    // Caddy sends nothing to servers that its check has found not ready.
    if (name === 'caddy') return
    for (const upstream of upstreams) upstream.state.behaviour = 'is not ready'
    for (const init of Object.values(requests)) {
      const answer = await ask('/api/v1/quotes', init)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7'])
      expect(await answer.text()).toMatch(/^(?:first|second)$/)
    }
  })

  given('behavior: if no server answers, the proxy refuses as a server does', async () => {
    for (const upstream of upstreams) await upstream.kill()
    const { url } = proxy
    for (const [kind, init] of Object.entries(requests)) {
      const answer = await ask('/api/v1/quotes', init)
      const problem = (await answer.json()) as Record<string, unknown>
      const code = codes[kind as keyof typeof codes]
      expect([answer.status, problem]).toEqual([
        503,
        {
          type: `urn:firmquote:problem:${code}`,
          title: expect.any(String),
          status: 503,
          detail: 'No server answers.',
          code,
          requestId: answer.headers.get('x-request-id'),
          docs: `/learn/reference/errors#${code.toLowerCase()}`,
        },
      ])
      const fixed = {
        'content-type': 'application/problem+json; charset=utf-8',
        'retry-after': '1',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'X-Request-Id, Retry-After',
        'cache-control': 'no-store',
        'strict-transport-security': 'max-age=31536000',
      }
      expect(headersOf(answer, Object.keys(fixed))).toEqual(fixed)
    }
    const { status } = await fetch(`${url}/ws/rfq`)
    expect(status).toBe(503)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
  })

  given('behavior: one that is not ready gets no work while another is', async () => {
    const [first, second] = upstreams
    if (first) first.state.behaviour = 'is not ready'
    const headers = { 'Idempotency-Key': 'k'.repeat(22) }
    if (!sendsBodiesTwice) await untilNoticed(async () => (await ask('/')).status)
    for (let request = 0; request < 4; request++) {
      expect(await (await ask('/')).text()).toBe('second')
      expect(await (await ask('/', { method: 'POST', body: 'x', headers })).text()).toBe('second')
    }
    expect(second?.seen.length).toBeGreaterThanOrEqual(8)
  })
})

describe('findProxy', () => {
  test('default: nginx before Caddy, or none', () => {
    const program = process.execPath
    expect(findProxy({ FIRMQUOTE_CADDY: program, FIRMQUOTE_NGINX: program })).toBe('nginx')
    expect(findProxy({ FIRMQUOTE_CADDY: program, FIRMQUOTE_NGINX: 'none' })).toBe('caddy')
    expect(findProxy({ FIRMQUOTE_CADDY: 'none', FIRMQUOTE_NGINX: 'none' })).toBeUndefined()
  })
})
