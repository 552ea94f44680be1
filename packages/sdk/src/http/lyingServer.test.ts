import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { InvalidResponseError } from '../errors.ts'
import { ServiceClient } from '../serviceClient.ts'
import { bytes, wireResult } from '../testing/samples.ts'
import { longestAnswer } from './readText.ts'

const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1_000_000_000_000n }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A client of a server that answers as it likes. */
async function startClient(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, client: new ServiceClient({ orderbookUrl: url }) }
}

const failureOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => error)

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('error: %d of a request with a body is not followed', async (status) => {
    const asked: string[] = []
    const { client } = await startClient((incoming, response) => {
      asked.push(`${incoming.method} ${incoming.url}`)
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const failure = await failureOf(client.requestQuotes(request))
    expect(failure).toBeInstanceOf(InvalidResponseError)
    expect(failure).toMatchObject({
      shortMessage: 'The service answered a request that has a body with a redirect.',
      status,
    })
    expect(asked).toEqual(['POST /api/v1/rfq/quote'])
  })

  test('behavior: a read follows it', async () => {
    const { client, url } = await startClient((incoming, response) => {
      if (incoming.url?.startsWith('/moved')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wireResult))
      } else response.writeHead(308, { location: `${url}/moved` }).end()
    })
    expect(await client.getRfq(wireResult.rfqId)).toMatchObject({ rfqId: wireResult.rfqId })
  })
})

describe('an answer without an end', () => {
  test('error: no more of it is read than an answer can have', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a')
    let sent = 0
    let onClosed = () => {}
    const closed = new Promise<void>((resolve) => {
      onClosed = resolve
    })
    const { client } = await startClient((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', onClosed)
      const write = () => {
        while (!response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', write)
        }
      }
      write()
    })
    const failure = await failureOf(client.getHealth())
    expect(failure).toBeInstanceOf(InvalidResponseError)
    expect(failure).toMatchObject({ shortMessage: `The answer is longer than ${longestAnswer} bytes.` })
    await closed
    // What the sockets of both sides hold comes on top.
    expect(sent).toBeLessThan(longestAnswer + 16 * piece.length)
  })
})
