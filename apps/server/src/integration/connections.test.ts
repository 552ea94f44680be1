import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../test/listenForTest.ts'
import { createScriptedAuction, createScriptedService, testDomain } from '../../test/scriptedService.ts'

let server: ListeningServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Opens a connection, and records the data received and whether the connection has ended. */
function open(localAddress = '127.0.0.1') {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  const state = { socket, received: '', closed: once(socket, 'close') }
  socket.on('error', () => {})
  socket.on('data', (data) => {
    state.received += data
  })
  return state
}

/** Returns the number of connections closed for a reason, according to `/metrics`. */
async function cutBy(reason: string): Promise<number> {
  const page = await (await fetch(`${server.url}/metrics`)).text()
  expect(page).not.toMatch(/127\.0\.0\.\d/)
  return Number(new RegExp(`^firmquote_connections_cut_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(page)?.[1])
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))

describe('pipelined requests', () => {
  /** Starts a server that answers quote-list requests only when the test allows it. */
  async function startWaiting(limits: Parameters<typeof listenForTest>[0]['limits'] = {}) {
    const waiting: ReturnType<typeof createDeferred<void>>[] = []
    const list = async () => {
      const asked = createDeferred<void>()
      waiting.push(asked)
      await asked.promise
      return { quotes: [], nextCursor: null }
    }
    const { service } = createScriptedService({ book: { listTexts: list } })
    server = await listenForTest({ service, domain: testDomain, limits })
    return waiting
  }

  test('default: 16 are answered in order, one at a time', async () => {
    const waiting = await startWaiting()
    const client = open()
    client.socket.write(get('/api/v1/quotes') + get('/nothing').repeat(14) + get('/api/v1/quotes'))
    while (waiting.length < 1) await turn()
    await fetch(`${server.api}/config`)
    expect(waiting).toHaveLength(1)
    expect(client.received).toBe('')
    waiting[0]?.resolve()
    while (waiting.length < 2 || statusesIn(client.received).length < 15) await turn()
    expect(statusesIn(client.received)).toEqual([200, ...Array(14).fill(404)])
    waiting[1]?.resolve()
    while (statusesIn(client.received).length < 16) await turn()
    expect(statusesIn(client.received).at(-1)).toBe(200)
  })

  test('error: the 17th request closes the connection, and only the first is processed', async () => {
    const waiting = await startWaiting()
    const client = open()
    client.socket.write(get('/api/v1/quotes').repeat(17))
    await client.closed
    waiting[0]?.resolve()
    expect((await fetch(`${server.api}/config`)).status).toBe(200)
    expect(waiting).toHaveLength(1)
    expect(client.received).toBe('')
    expect(server.logs).toContainEqual(expect.objectContaining({ msg: 'closed a connection', reason: 'pipelining' }))
    expect(server.logs.filter(({ route }) => route === '/api/v1/quotes')).toHaveLength(1)
    expect([await cutBy('pipelining'), await cutBy('not_reading')]).toEqual([1, 0])
  })

  test('behavior: queued requests are dropped when the connection closes', async () => {
    const waiting = await startWaiting()
    const client = open()
    client.socket.write(get('/api/v1/quotes').repeat(10))
    while (waiting.length < 1) await turn()
    client.socket.destroy()
    await client.closed
    while (!server.logs.some(({ aborted }) => aborted)) await turn()
    waiting[0]?.resolve()
    await fetch(`${server.api}/config`)
    expect(waiting).toHaveLength(1)
  })

  test('behavior: refused requests are counted by code', async () => {
    await startWaiting()
    for (const path of ['/nothing', '/nothing', '/api/v1/quotes?limit=x']) await fetch(server.url + path)
    const page = await (await fetch(`${server.url}/metrics`)).text()
    expect(page).toContain('firmquote_requests_refused_total{code="NOT_FOUND"} 2\n')
    expect(page).toContain('firmquote_requests_refused_total{code="INVALID_REQUEST"} 1\n')
  })

  test('behavior: a request sent after 16 answers is answered', async () => {
    await startWaiting()
    const client = open()
    for (let sent = 1; sent <= 40; sent += 1) {
      client.socket.write(get('/nothing'))
      while (statusesIn(client.received).length < sent) await turn()
    }
    expect(statusesIn(client.received)).toEqual(Array(40).fill(404))
  })
})

describe('a client that does not read', () => {
  test('error: the connection is closed if the client reads nothing for 30 seconds', async () => {
    const clock = createFakeClock()
    const quotes = [{ text: JSON.stringify({ x: 'x'.repeat(2 ** 24) }), status: 'active', verdict: {} }] as const
    const { service } = createScriptedService({
      book: { listTexts: async () => ({ quotes: [...quotes], nextCursor: null }) },
    })
    server = await listenForTest({ service, domain: testDomain, clock })
    const client = open()
    client.socket.pause()
    client.socket.write(get('/api/v1/quotes'))
    await once(client.socket, 'readable')
    const cut = () => server.logs.some(({ reason }) => reason === 'not_reading')
    let halfMinutes = 0
    // Data initially buffered by the kernel counts as progress.
    while (!cut()) {
      clock.advance(30_000)
      halfMinutes += 1
      expect(halfMinutes).toBeLessThan(100)
      await turn()
    }
    expect(halfMinutes).toBeGreaterThanOrEqual(2)
    client.socket.resume()
    await client.closed
    expect([await cutBy('pipelining'), await cutBy('not_reading')]).toEqual([0, 1])
  })

  test('behavior: it stays open if the client reads some data every 30 seconds', async () => {
    const clock = createFakeClock()
    const quotes = [{ text: JSON.stringify({ x: 'x'.repeat(2 ** 25) }), status: 'active', verdict: {} }] as const
    const { service } = createScriptedService({
      book: { listTexts: async () => ({ quotes: [...quotes], nextCursor: null }) },
    })
    server = await listenForTest({ service, domain: testDomain, clock })
    const client = open()
    client.socket.write(get('/api/v1/quotes'))
    let taken = 0
    while (taken < 2 ** 25) {
      const before = client.received.length
      client.socket.resume()
      while (client.received.length < Math.min(before + 2 ** 23, 2 ** 25)) await turn()
      client.socket.pause()
      taken = client.received.length
      clock.advance(30_000)
      await turn()
    }
    expect(server.logs.some(({ reason }) => reason === 'not_reading')).toBe(false)
  })
})

describe('connections', () => {
  const config = get('/api/v1/config')

  test('error: one network cannot exceed its share, and other networks are served', async () => {
    server = await listenForTest({
      ...createScriptedService(),
      domain: testDomain,
      limits: { connectionsPerNetwork: 2 },
    })
    const first = open('127.0.0.2')
    const second = open('127.0.0.2')
    for (const { socket } of [first, second]) await once(socket, 'connect')
    const third = open('127.0.0.2')
    await third.closed
    expect(statusesIn(third.received)).toEqual([503])
    expect(third.received).toContain('"code":"OVERLOADED"')
    expect(await cutBy('too_many')).toBe(1)
    const other = open('127.0.0.3')
    for (const { socket } of [first, second, other]) socket.write(config)
    for (const client of [first, second, other]) {
      while (statusesIn(client.received).length === 0) await turn()
      expect(statusesIn(client.received)).toEqual([200])
    }

    first.socket.destroy()
    const refused = async () => {
      const again = open('127.0.0.2')
      again.socket.write(config)
      while (statusesIn(again.received).length === 0) await turn()
      return statusesIn(again.received)[0] !== 200
    }
    while (await refused()) await turn()
  })

  test('error: each connection that was cut takes 1/32 of the limit of its network for five seconds', async () => {
    const clock = createFakeClock()
    const limits = { connectionsPerNetwork: 32 }
    server = await listenForTest({ ...createScriptedService(), domain: testDomain, clock, limits })
    const cut = async (count: number) => {
      for (let done = 0; done < count; done += 1) {
        const client = open('127.0.0.2')
        client.socket.write(config.repeat(100))
        await client.closed
      }
    }
    const ask = async () => {
      const client = open('127.0.0.2')
      client.socket.write(config)
      await Promise.race([client.closed, once(client.socket, 'data')])
      client.socket.destroy()
      return statusesIn(client.received)[0]
    }
    await cut(16)
    expect(await ask()).toBe(200)
    clock.advance(1_000)
    // The last honest connection may still be closing.
    while ((await cutBy('pipelining')) < 32) await cut(1)
    expect(await ask()).toBe(503)
    clock.advance(3_999)
    expect(await ask()).toBe(503)
    clock.advance(1)
    expect(await ask()).toBe(200)
  })

  const isServed = async (client: ReturnType<typeof open>) => {
    client.socket.write(config)
    while (statusesIn(client.received).length === 0) await turn()
    return statusesIn(client.received)[0] === 200
  }

  test('behavior: connections from loopback and from trusted proxies are not counted', async () => {
    const limits = { connections: 1, connectionsPerNetwork: 1 }
    server = await listenForTest({ ...createScriptedService(), domain: testDomain, limits, trustProxy: '127.0.0.2' })
    const clients = [open('127.0.0.3'), open(), open(), open('127.0.0.2'), open('127.0.0.2')]
    for (const client of clients) expect(await isServed(client)).toBe(true)
  })

  test('behavior: when all are in use, a newcomer replaces the oldest connection of the largest network', async () => {
    server = await listenForTest({ ...createScriptedService(), domain: testDomain, limits: { connections: 3 } })
    const [first, second, other] = [open('127.0.0.2'), open('127.0.0.2'), open('127.0.1.1')]
    for (const client of [first, second, other]) expect(await isServed(client)).toBe(true)
    const newcomer = open('127.0.2.1')
    expect(await isServed(newcomer)).toBe(true)
    await first.closed
    for (const client of [second, other]) expect(client.socket.destroyed).toBe(false)
    expect(await cutBy('too_many')).toBe(1)
  })

  test('error: when all are in use, a newcomer of the largest network is refused', async () => {
    server = await listenForTest({ ...createScriptedService(), domain: testDomain, limits: { connections: 2 } })
    for (const address of ['127.0.0.2', '127.0.0.3']) expect(await isServed(open(address))).toBe(true)
    const third = open('127.0.0.2')
    await third.closed
    expect(statusesIn(third.received)).toEqual([503])
  })

  test('behavior: a running stream is evicted only if its network has no idle connection', async () => {
    const auction = createScriptedAuction()
    const { service } = createScriptedService({ hub: { follow: async () => auction } })
    server = await listenForTest({ service, domain: testDomain, limits: { connections: 2 } })
    const [streaming, idle] = [open('127.0.0.2'), open('127.0.0.2')]
    streaming.socket.write(get(`/api/v1/rfq/${auction.rfq.rfqId}/stream`))
    while (!streaming.received.includes('text/event-stream')) await turn()
    expect(await isServed(idle)).toBe(true)
    expect(await isServed(open('127.0.1.1'))).toBe(true)
    await idle.closed
    expect(streaming.socket.destroyed).toBe(false)
    expect(await isServed(open('127.0.2.1'))).toBe(true)
    await streaming.closed
  })
})
