import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, networkAddress, printHonest, startAdversarialFixture } from './adversarialFixture.ts'

// The attack requires 10 connections and 2.5 MB per wave. Each connection sends 4,000 requests for one of the largest
// responses without reading any response. The attacker drops the connections, and reconnects once the server has
// answered. The attacker repeats this three times from each of four networks. Finally, the attacker keeps connections
// open without reading from them during a graceful shutdown.

const connectionCount = 10
const requestCount = 4_000
const mebibyte = 2 ** 20

/** Paths of the largest file, the largest documents and the largest list. */
const targets = ['/docs/swagger-ui-bundle.js', '/openapi.json', '/asyncapi.json', '/api/v1/quotes?limit=100'] as const

const started = stopAfter(afterEach)

/** Opens a connection and sends its requests, or as many as the server accepts, without reading any response. */
async function flood(port: number, path: string, network: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: networkAddress(network) })
  started({ stop: () => socket.destroy() })
  socket.pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requestCount), () => resolve())
  })
  return socket
}

test('behavior: endless requests with unread responses do not delay other clients', async () => {
  const fixture = started(await startAdversarialFixture({ AUCTION_DURATION_MS: '4000' }))
  const { urlOf, servers } = fixture
  const { rss, urls } = servers
  const wave = (url: string, path: string, network: number) => {
    const port = Number(new URL(url).port)
    return Promise.all(Array.from({ length: connectionCount }, () => flood(port, path, network)))
  }
  for (const url of urls) for (const path of targets) expect((await fetch(url + path)).status).toBe(200)
  const honest = await fixture.startHonest()
  // The first auction has closed by then: memory grows when code runs for the first time.
  await honest.quoted(2)
  const before = rss()

  let most = before
  const rounds = 3
  for (let round = 0; round < rounds; round += 1) {
    for (const [network, path] of targets.entries()) {
      const url = urlOf(round + network)
      for (const socket of await wave(url, path, network)) socket.destroy()
      most = Math.max(most, rss())
      expect((await fetch(`${url}/livez`)).status).toBe(200)
    }
  }
  await honest.quoted(honest.auctions().length + 1)
  const figures = await honest.finish()
  const isBack = await holdsWithin(30_000, () => rss() <= before + 64 * mebibyte * urls.length)

  const mib = (bytes: number) => Math.round(bytes / mebibyte)
  const memory = `RSS ${mib(before)} MiB before, ${mib(most)} at most, ${mib(rss())} after`
  printHonest(`pipelinedGets (${rounds * targets.length} waves; ${memory})`, figures)
  expect(isBack).toBe(true)
  expect(figures.livezMs.length).toBeGreaterThan(100)
  for (const ms of figures.livezMs) expect(ms).toBeLessThan(1_000 + figures.slowestBareMs)
  expect(figures.auctions.length).toBeGreaterThanOrEqual(2)
  for (const auction of figures.auctions) expect(auction).toMatchObject({ quotes: 1, error: null })

  for (const url of urls) await wave(url, targets[0], targets.length)
  const stoppedAt = performance.now()
  servers.signal('SIGTERM')
  expect(await servers.ended).toEqual(urls.map(() => 0))
  expect(performance.now() - stoppedAt).toBeLessThan(20_000)
}, 180_000)
