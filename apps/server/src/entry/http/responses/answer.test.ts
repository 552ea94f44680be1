import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import express from 'express'
import { sendJsonText } from './answer.ts'

/** Creates JSON with this many two-byte characters. */
const jsonOf = (length: number) => `"${'ж'.repeat(length - 2)}"`
const long = 200_000

let server: Server
beforeAll(async () => {
  const app = express()
  app.get('/:length', (req, res) => sendJsonText(res, 200, jsonOf(Number(req.params.length)), { 'Retry-After': '7' }))
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** Does not use fetch, which sets its own encodings and decompresses the response. */
async function get(length: number, encodings?: string, method = 'GET') {
  const { port } = server.address() as AddressInfo
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path: `/${length}`,
    headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { headers: response.headers, body: await buffer(response) }
}

describe('sendJsonText', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['*', 'br'],
  ])('default: a long answer is compressed as Accept-Encoding %s allows', async (encodings, used) => {
    const { headers, body } = await get(long, encodings)
    expect(headers).toMatchObject({
      'content-encoding': used,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
      'retry-after': '7',
    })
    expect(body.length).toBeLessThan(long / 10)
    expect((used === 'br' ? brotliDecompressSync : gunzipSync)(body).toString()).toBe(jsonOf(long))
  })

  test.each([undefined, 'identity', 'deflate', 'gzip;q=0, br;q=0'])(
    'behavior: it is sent uncompressed with Accept-Encoding %s, and Vary says why',
    async (encodings) => {
      const { headers, body } = await get(long, encodings)
      expect(headers['content-encoding']).toBeUndefined()
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(body.length) })
      expect(body.toString()).toBe(jsonOf(long))
    },
  )

  test('behavior: starting at 1,400 characters', async () => {
    const [below, from] = await Promise.all([get(1_399, 'gzip'), get(1_400, 'gzip')])
    expect([below.headers['content-encoding'], below.headers.vary]).toEqual([undefined, undefined])
    expect(below.body.toString()).toBe(jsonOf(1_399))
    expect(from.headers['content-encoding']).toBe('gzip')
  })

  test('behavior: HEAD has the headers of GET, and no body', async () => {
    const [whole, head] = await Promise.all([get(long, 'br'), get(long, 'br', 'HEAD')])
    expect(head.body).toHaveLength(0)
    for (const name of ['content-encoding', 'content-length', 'vary']) {
      expect(head.headers[name]).toBe(whole.headers[name])
    }
  })
})
