import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterEach, describe, expect, test } from '@jest/globals'
import { getAddress } from 'viem'
import { bytes, rfqId, wireCollected, wireResult, wireRfq, wireSummary } from '../../test/samples.ts'
import { InvalidResponseError } from '../errors.ts'
import { ServiceClient } from '../serviceClient.ts'
import { maxAnswerBytes } from './readText.ts'

const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1_000_000_000_000n }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Creates a client, and a server that sends arbitrary responses. */
async function startClient(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/api/v1/config') response.writeHead(404).end()
    else answer(incoming, response)
  })
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
      shortMessage: 'The service redirected a request that must not be forwarded.',
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

describe('an auction that differs from the request', () => {
  const { expiry } = wireRfq
  const taker = `0x${'1'.repeat(40)}` as const
  const other = `0x${'2'.repeat(40)}` as const
  const target = { poolId: request.poolId, notional: request.notional, expiry }

  test.each([
    ['another pool', request, { poolId: bytes('9') }],
    ['another series', request, { seriesKey: bytes('9') }],
    ['a smaller notional', request, { notional: '999999999999' }],
    ['a larger notional', request, { notional: '1000000000001' }],
    ['another taker', { ...request, taker }, { taker: other }],
    ['no taker', { ...request, taker }, {}],
    ['a taker that was not requested', request, { taker }],
    ['an expiry before the target', target, { expiry: expiry - 1 }],
  ])('error: %s', async (_what, asked, change) => {
    const { client } = await startClient((incoming, response) => {
      const isStream = incoming.url?.endsWith('/stream')
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      const started = JSON.stringify({ ...wireRfq, ...change, backers: 3 })
      if (isStream) response.write(`event: started\nid: ${rfqId}:0\ndata: ${started}\n\n`)
      else response.end(JSON.stringify({ ...wireResult, ...change, quotes: [], best: undefined }))
    })
    const failures = [await failureOf(client.requestQuotes(asked)), await failureOf(client.streamQuotes(asked).next())]
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(InvalidResponseError)
      expect(failure).toMatchObject({ shortMessage: 'The auction differs from the request.' })
    }
  })

  test('behavior: a target expiry may get a later series, and the case of hex does not matter', async () => {
    const { client } = await startClient((_incoming, response) => {
      const terms = { poolId: bytes('a'), expiry: expiry + 1, taker: `0x${'ab'.repeat(20)}` }
      const answer = { ...wireResult, ...terms, quotes: [], best: undefined }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const poolId = `0x${bytes('a').slice(2).toUpperCase()}` as const
    const asked = { ...target, poolId, taker: getAddress(`0x${'ab'.repeat(20)}`) }
    expect(await client.requestQuotes(asked)).toMatchObject({ expiry: expiry + 1 })
  })
})

describe('an answer without an end', () => {
  test('error: stops reading at the size limit', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'a')
    let sent = 0
    const { promise: closed, resolve: onClosed } = createDeferred()
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
    expect(failure).toMatchObject({ shortMessage: `The response is longer than ${maxAnswerBytes} bytes.` })
    await closed
    // The margin allows for data in both sockets' buffers.
    expect(sent).toBeLessThan(maxAnswerBytes + 16 * piece.length)
  })
})

describe('a result that contradicts itself', () => {
  const [quoted] = wireResult.quotes
  const ofOther = (change: object) => ({ quotes: [{ ...quoted, quote: { ...quoted?.quote, ...change } }] })
  const best = { notional: '1', cost: '1' }

  test.each([
    ['a quote of another pool', ofOther({ poolId: bytes('9') })],
    ['a quote of another series', ofOther({ seriesKey: bytes('9') })],
    ['a quote of more than was asked for', ofOther({ notional: '1000000000001' })],
    ['a best quote that is none of its quotes', { best: { ...best, hashes: [bytes('9')] } }],
    ['more best quotes than are ever taken', { best: { ...best, hashes: Array(5).fill(quoted?.hash) } }],
  ])('error: %s', async (_what, change) => {
    const { client } = await startClient((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...wireResult, ...change }))
    })
    for (const call of [client.getRfq(rfqId), client.requestQuotes(request)]) {
      expect(await failureOf(call)).toBeInstanceOf(InvalidResponseError)
    }
  })

  test('default: as many as requested, including the best', async () => {
    const { client } = await startClient((_incoming, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...wireResult, best: { ...best, hashes: [quoted?.hash] } }))
    })
    expect((await client.getRfq(rfqId)).best?.hashes).toEqual([quoted?.hash])
  })
})

describe('a stream that contradicts itself', () => {
  const frame = (event: string, n: number, data: object) =>
    `event: ${event}\nid: ${rfqId}:${n}\ndata: ${JSON.stringify(data)}\n\n`
  const started = frame('started', 0, { ...wireRfq, backers: 3 })
  const quote = (change: object = {}) =>
    frame('quote', 1, { ...wireCollected, quote: { ...wireCollected.quote, ...change } })
  const done = (n: number, change: object = {}) => frame('done', n, { ...wireSummary, ...change })
  const best = { notional: '1', cost: '1' }

  test.each([
    ['a quote of another pool', started + quote({ poolId: bytes('9') }), 1],
    ['a quote of another series', started + quote({ seriesKey: bytes('9') }), 1],
    ['a quote of more than was asked for', started + quote({ notional: '1000000000001' }), 1],
    ['done before its quotes', started + done(1), 1],
    ['done with fewer quotes than came', started + quote() + done(2, { quoteCount: 0, ranking: [] }), 2],
    ['a ranking that names another quote', started + quote() + done(2, { ranking: [bytes('9')] }), 2],
    ['a best quote that is not ranked', started + quote() + done(2, { best: { ...best, hashes: [bytes('9')] } }), 2],
    [
      'more best quotes than are ever taken',
      started + quote() + done(2, { best: { ...best, hashes: Array(5).fill(wireCollected.hash) } }),
      2,
    ],
  ])('error: %s', async (_what, text, before) => {
    const { client } = await startClient((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)
    })
    const types: string[] = []
    const read = async () => {
      for await (const { type } of client.streamQuotes(request)) types.push(type)
    }
    expect(await failureOf(read())).toBeInstanceOf(InvalidResponseError)
    expect(types).toHaveLength(before)
  })

  test.each([
    ['the first event again and again', started, 'The stream repeats its events endlessly.'],
    ['comments without end', `:${'x'.repeat(4_096)}\n\n`, 'A stream event is too long.'],
  ])('error: %s', async (_what, text, shortMessage) => {
    const { client } = await startClient((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(started)
      const more = () => {
        while (!response.destroyed) if (!response.write(text)) return void response.once('drain', more)
      }
      more()
    })
    const read = async () => {
      for await (const { type } of client.streamQuotes(request)) expect(type).toBe('started')
    }
    expect(await failureOf(read())).toMatchObject({ name: 'InvalidResponseError', shortMessage })
  })

  test('error: quotes without end', async () => {
    const { client } = await startClient((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(started)
      let n = 0
      const more = () => {
        while (!response.destroyed) {
          n += 1
          if (!response.write(frame('quote', n, wireCollected))) return void response.once('drain', more)
        }
      }
      more()
    })
    let quotes = 0
    const read = async () => {
      for await (const { type } of client.streamQuotes(request)) if (type === 'quote') quotes += 1
    }
    expect(await failureOf(read())).toMatchObject({
      name: 'InvalidResponseError',
      shortMessage: 'The stream has more than 10000 quotes.',
    })
    expect(quotes).toBe(10_000)
  })
})
