import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { freePort } from '@firmquote/cluster/freePort'
import { type ProxyName, startProxy } from '@firmquote/cluster/startProxy'
import { ServiceClient } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { startPlannedBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { hasProxy, proxyNames, startProxyFixture } from './proxyFixture.ts'

// Checks that sockets and streams survive two idle minutes. Tests both proxies concurrently.

const silenceMs = 125_000
const names = proxyNames.filter(hasProxy)
const given = names.length === proxyNames.length ? test : test.skip

const started = stopAfter(afterEach)

given(
  "default: a maker's answer after two minutes reaches the waiting borrower",
  async () => {
    const fixture = started(await startProxyFixture({ AUCTION_DURATION_MS: String(silenceMs + 10_000) }))
    const [pool] = fixture.devnet.pools
    const played = names.map(async (name, index) => {
      const { url } = fixture.of(name).proxy
      const maker = fixture.devnet.backers[index]
      if (!maker) throw new TypeError('The devnet has too few makers.')
      const plan = { aprBps: 510n, delayMs: silenceMs }
      const { outcome } = started(await startPlannedBacker(url, maker, plan))
      const terms = { poolId: pool.poolId, expiry: pool.series[2]?.expiry ?? 0, notional: 250_000_000_000n }
      const events: string[] = []
      for await (const { type } of new ServiceClient({ orderbookUrl: url }).streamQuotes(terms)) {
        if (type !== 'progress') events.push(type)
      }
      return { events, outcome: await outcome, logs: fixture.of(name).server.logs() }
    })
    for (const { events, outcome, logs } of await Promise.all(played)) {
      expect(events).toEqual(['started', 'quote', 'done'])
      expect(outcome).toBe('best')
      // The stream was neither interrupted nor resumed.
      expect(logs).not.toContain('/rfq/:rfqId/stream')
    }
  },
  silenceMs + 60_000,
)

given(
  'default: no socket or stream is lost if a server sends nothing for two minutes',
  async () => {
    await Promise.all(names.map(outlive))
  },
  silenceMs + 60_000,
)

given(
  'behavior: a connection that does not complete its request is soon closed',
  async () => {
    const fixture = started(await startProxyFixture({}))
    const lived = names.map(async (name) => {
      const { port } = new URL(fixture.of(name).proxy.url)
      const socket = connectTls({ port: Number(port), servername: 'localhost' })
      socket.on('error', () => {}).on('data', () => {})
      await once(socket, 'secureConnect')
      const since = performance.now()
      socket.write('GET / HTTP/1.1\r\nHost: ')
      await once(socket, 'close')
      return performance.now() - since
    })
    for (const time of await Promise.all(lived)) {
      expect(time).toBeGreaterThan(9_000)
      expect(time).toBeLessThan(15_000)
    }
  },
  60_000,
)

async function outlive(name: ProxyName): Promise<void> {
  const streams: ServerResponse[] = []
  const sockets: Socket[] = []
  const upstream = createServer((asked, answer) => {
    if (asked.url === '/readyz') return void answer.end()
    answer.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    answer.write(': begun\n\n')
    streams.push(answer)
  })
  upstream.on('upgrade', (_, socket: Socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nbegun')
    sockets.push(socket)
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-silence-'))
  const servers = [(upstream.address() as AddressInfo).port]
  const proxy = await startProxy({ name, folder, port: await freePort(), servers })
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    upstream.closeAllConnections()
    upstream.close()
    await proxy.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  started({ stop })

  const upgrade = request(`${proxy.url}/ws/rfq`, { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } })
  upgrade.end()
  const [[, socket, head], [stream]] = await Promise.all([
    once(upgrade, 'upgrade') as Promise<[IncomingMessage, Socket, Buffer]>,
    once(request(proxy.url).end(), 'response') as Promise<[IncomingMessage]>,
  ])
  let [fromSocket, fromStream] = [head.toString(), '']
  socket.on('data', (part: Buffer) => {
    fromSocket += part
  })
  stream.on('data', (part: Buffer) => {
    fromStream += part
  })
  await sleep(silenceMs)
  for (const each of sockets) each.write(' and here still')
  for (const each of streams) each.write(': here still\n\n')
  for (const end = Date.now() + 5_000; Date.now() < end; await sleep(20)) {
    if (fromSocket.endsWith('still') && fromStream.endsWith('still\n\n')) break
  }
  expect({ fromSocket, fromStream }).toEqual({
    fromSocket: 'begun and here still',
    fromStream: ': begun\n\n: here still\n\n',
  })
}
