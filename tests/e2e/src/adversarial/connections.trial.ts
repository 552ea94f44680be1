// Attackers use up all the server's connections: from 79 addresses in one /24, from 79 networks, with slow requests,
// and with event streams for one auction. An attack requires 79 addresses and 4 seconds, but no tokens.

import { type ClientRequest, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { quantile } from '../quantile.ts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, startAdversarialFixture } from './adversarialFixture.ts'

/** The server's connection limit. The addresses below open more connections than that. */
const limit = 2_000
const addresses = 79
const connectionsPerAddress = 40

const started = stopAfter(afterEach)

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const slowPost =
  'POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{'

const attacks: [name: string, addressOf: (index: number) => string, requestOf: (rfqId: string) => string][] = [
  ['idle, one /24', (index) => `127.1.0.${index + 2}`, () => ''],
  ['idle, many networks', (index) => `127.2.${index}.1`, () => ''],
  ['slow requests', (index) => `127.3.${index}.1`, () => slowPost],
  ['event streams', (index) => `127.4.${index}.1`, (rfqId) => get(`/api/v1/rfq/${rfqId}/stream`)],
]

test('behavior: every other network gets a connection at once, and streams and seats of honest users last', async () => {
  const settings = { MAX_CONNECTIONS: String(limit), AUCTION_DURATION_MS: '60000' }
  const fixture = started(await startAdversarialFixture(settings))
  const { url, series, servers } = fixture
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  started({ stop: () => sockets.map((socket) => socket.destroy()) })

  /** Opens connections from an address and sends the same text over each. */
  const open = async (localAddress: string, count: number, text: string) => {
    const opened = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }))
    sockets.push(...opened)
    await Promise.all(
      opened.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.on('error', () => resolve())
            socket.on('connect', () => {
              if (text !== '') socket.write(text)
              resolve()
            })
            socket.resume()
          }),
      ),
    )
    return opened
  }

  const honest = await fixture.startHonest()
  const stream = followAuction(port, '127.200.0.1', { ...series, notional: '10000000000' })
  started({ stop: () => stream.request.destroy() })
  const rfqId = await stream.rfqId
  // 300 users behind one address, for example at a university.
  const students = await open('127.201.0.1', 300, get('/api/v1/config'))
  const served: string[] = []

  for (const [name, addressOf, requestOf] of attacks) {
    const waits: number[] = []
    let attacking = true
    const honestUse = (async () => {
      for (let turn = 0; attacking || turn < 50; turn += 1) {
        waits.push(await answeredIn(port, `127.210.${turn % 250}.1`))
        await sleep(20)
      }
    })()
    for (let index = 0; index < addresses; index += 1) {
      await open(addressOf(index), connectionsPerAddress, requestOf(rfqId))
    }
    await sleep(1_000)
    attacking = false
    await honestUse
    const p99 = quantile(waits, 0.99)
    served.push(`${name}: ${waits.length} of ${waits.length} in p99 ${Math.round(p99)} ms`)
    expect(p99).toBeLessThan(5_000)
    expect(stream.isOpen()).toBe(true)
  }
  process.stdout.write(`connections: ${served.join('; ')}\n`)

  const leftStudents = students.filter((socket) => !socket.destroyed).length
  process.stdout.write(`connections: ${leftStudents} of 300 connections behind one address are still open\n`)
  // The backer kept its seat.
  expect(servers.logs()).not.toContain('"closeCode"')
  // The newest auction may have opened just now.
  const asked = honest.auctions().length
  const unserved = () =>
    honest
      .auctions()
      .slice(0, asked)
      .filter(({ quotes, error }) => quotes === 0 || error !== null)
  await holdsWithin(5_000, () => unserved().length === 0)
  expect(unserved()).toEqual([])
}, 180_000)

/** Opens an auction from an address and follows its stream. */
function followAuction(port: number, localAddress: string, body: object) {
  const request: ClientRequest = httpRequest({
    port,
    host: '127.0.0.1',
    localAddress,
    method: 'POST',
    path: '/api/v1/rfq/quote/stream',
    agent: false,
    headers: { 'content-type': 'application/json' },
  })
  let isOpen = true
  const rfqId = new Promise<string>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', () => {})
      response.on('close', () => {
        isOpen = false
      })
      response.setEncoding('utf8').on('data', (text: string) => {
        const [, id] = /"rfqId":"(\w+)"/.exec(text) ?? []
        if (id !== undefined) resolve(id)
      })
    })
  })
  request.end(JSON.stringify(body))
  return { request, rfqId, isOpen: () => isOpen }
}

/** Milliseconds until a new connection from an address receives a response. */
function answeredIn(port: number, localAddress: string): Promise<number> {
  const askedAt = performance.now()
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', localAddress, path: '/api/v1/config', agent: false }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - askedAt)
        else reject(new TypeError(`${localAddress} was answered with ${response.statusCode}.`))
      })
    })
      .on('error', reject)
      .end()
  })
}
