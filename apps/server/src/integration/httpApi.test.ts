// Tests every endpoint and a table of invalid inputs on a running server, which must stay healthy. Long because all
// tests share that server.

import {
  type QuotePrice,
  quoteApr,
  quoteEffectiveApy,
  quoteMarketAbi,
  type SerializedSignedQuote,
} from '@firmquote/core'
import {
  collectedQuoteShape,
  decodeOrThrow,
  problemShape,
  quotePageShape,
  rfqObservationsShape,
  rfqResultShape,
  rfqStartedShape,
  rfqSummaryShape,
  serviceConfigShape,
  serviceHealthShape,
  storedQuoteShape,
} from '@firmquote/core/wire'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, nowSeconds, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'

let devnet: Devnet
let server: RealServer
let maker: DevnetAccount
/** Secret auction IDs. */
const borrowersIds: string[] = []

beforeAll(async () => {
  devnet = await startDevnet()
  ;[maker] = devnet.backers
  server = await startRealServer(devnet, { durationMs: 1_500 })
})
afterAll(async () => {
  // No request may cause a server error, and no secret may appear in the log.
  const text = JSON.stringify(server?.logs)
  expect(server?.logs.filter(({ level }) => Number(level) >= 50)).toEqual([])
  expect(text).not.toMatch(/[0-9a-f]{130}/)
  for (const id of borrowersIds) expect(text).not.toContain(id)
  await server?.close()
  await devnet?.stop()
})

const get = (path: string) => fetch(`${server.api}${path}`)
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
const signed = (changes: Parameters<typeof createQuote>[2] = {}, by = maker) =>
  signQuote(by, domainOf(devnet), createQuote(devnet, by, changes))

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  const text = await response.text()
  expect(text).not.toMatch(/\bat .*\.(?:ts|js):\d+|node_modules/)
  const problem = decodeOrThrow(problemShape, JSON.parse(text), 'problem')
  expect(problem.status).toBe(response.status)
  expect(problem.requestId).toBe(response.headers.get('x-request-id'))
  return problem
}

function request(changes: object = {}) {
  const [pool] = devnet.pools
  return { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: '1000000000', ...changes }
}

describe('config and health', () => {
  test('default: the configuration of the service', async () => {
    const response = await get('/config')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const config = decodeOrThrow(serviceConfigShape, await response.json(), 'config')
    expect(config).toMatchObject({
      chainId: devnet.chainId,
      contracts: { quoteMarket: devnet.contracts.quoteMarket, interestRatePool: devnet.contracts.interestRatePool },
      eip712Domain: { name: 'QuoteMarket', version: '1', verifyingContract: devnet.contracts.quoteMarket },
      auction: { durationMs: 1_500, quotesPerBacker: 1 },
    })
  })

  test('default: the health', async () => {
    const response = await get('/health')
    expect(response.status).toBe(200)
    const health = decodeOrThrow(serviceHealthShape, await response.json(), 'health')
    expect(health).toMatchObject({ status: 'ok', database: 'ok', sync: { head: expect.any(Number) } })
    expect(Math.abs((health.serverTime ?? 0) - Date.now())).toBeLessThan(10_000)
  })
})

describe('quotes', () => {
  test('default: stored once, listed, found, and cancelled on the chain with the calldata of DELETE', async () => {
    const quote = await signed()
    const created = await post('/quotes', quote)
    expect(created.status).toBe(201)
    const record = decodeOrThrow(storedQuoteShape, await created.clone().json(), 'record')
    expect(await created.json()).toMatchObject({ quote, status: 'active' })
    expect(created.headers.get('location')).toBe(`/api/v1/quotes/${record.hash}`)
    expect(record.apr).toBeGreaterThan(0)

    const again = await post('/quotes', quote)
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ hash: record.hash, createdAt: record.createdAt })

    const found = decodeOrThrow(storedQuoteShape, await (await get(`/quotes/${record.hash}`)).json(), 'record')
    expect(found).toEqual(record)
    // Hashes are case-insensitive.
    expect((await get(`/quotes/0x${record.hash.slice(2).toUpperCase()}`)).status).toBe(200)
    const page = decodeOrThrow(quotePageShape, await (await get(`/quotes?maker=${maker.address}`)).json(), 'page')
    expect(page.quotes.map(({ hash }) => hash)).toContain(record.hash)

    const refused = await fetch(`${server.api}/quotes/${record.hash}`, { method: 'DELETE' })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET')
    const { code, details, detail } = await problemOf(refused)
    expect(code).toBe('METHOD_NOT_ALLOWED')
    expect(detail).toContain('on-chain')
    const { to, cancelQuote, raiseNonce } = details as { to: Hex; cancelQuote: Hex; raiseNonce: Hex }
    expect(decodeFunctionData({ abi: quoteMarketAbi, data: raiseNonce }).functionName).toBe('raiseNonce')

    const hash = await devnet.walletClient(maker).sendTransaction({ to, data: cancelQuote })
    expect((await devnet.publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
    const market = { address: devnet.contracts.quoteMarket, abi: quoteMarketAbi } as const
    expect(
      await devnet.publicClient.readContract({ ...market, functionName: 'quoteStatus', args: [record.hash] }),
    ).toBe(2)
  })

  test('behavior: DELETE is 405 for any hash and query', async () => {
    for (const hash of [`0x${'ab'.repeat(32)}`, 'nonsense', '0x12', `0x${'ab'.repeat(32)}?unknown=1`]) {
      const response = await fetch(`${server.api}/quotes/${hash}`, { method: 'DELETE' })
      expect(response.status).toBe(405)
      expect((await problemOf(response)).details).toEqual({
        chainId: devnet.chainId,
        to: devnet.contracts.quoteMarket,
        raiseNonce: expect.stringMatching(/^0x[0-9a-f]{8}$/),
      })
    }
  })

  test('behavior: filters, order and pages', async () => {
    const other = devnet.backers[1]
    const quotes = await Promise.all(
      [10n, 30n, 20n].map((vrtAmount) => signed({ vrtAmount, notional: 100_000_000n }, other)),
    )
    for (const quote of quotes) expect((await post('/quotes', quote)).status).toBe(201)
    const list = async (query: string) =>
      decodeOrThrow(quotePageShape, await (await get(`/quotes?maker=${other.address}&${query}`)).json(), 'page')

    const best = await list('sort=rate')
    expect(best.quotes.map(({ quote }) => quote.vrtAmount)).toEqual([10n, 20n, 30n])
    const first = await list('sort=rate&limit=2')
    expect(first.quotes.map(({ quote }) => quote.vrtAmount)).toEqual([10n, 20n])
    const rest = await list(`sort=rate&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
    expect(rest.quotes.map(({ quote }) => quote.vrtAmount)).toEqual([30n])
    expect(rest.nextCursor).toBeNull()
    expect((await list('minNotional=100000001')).quotes).toEqual([])
    expect((await list('maxNotional=100000000')).quotes).toHaveLength(3)
  })

  test('error: a quote that does not exist', async () => {
    const response = await get(`/quotes/0x${'ab'.repeat(32)}`)
    expect(await problemOf(response)).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' })
  })

  test('error: TOO_MANY_OPEN when a maker has reached its limit', async () => {
    const small = await startRealServer(devnet, { serviceLimits: { storedQuotesPerMaker: 2 } })
    const submit = (quote: SerializedSignedQuote) =>
      fetch(`${small.api}/quotes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(quote),
      })
    const first = await signed()
    expect((await submit(first)).status).toBe(201)
    expect((await submit(await signed())).status).toBe(201)
    const refused = await submit(await signed())
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(await problemOf(refused)).toMatchObject({
      status: 429,
      code: 'TOO_MANY_OPEN',
      details: { open: 2, limit: 2 },
    })
    expect((await submit(first)).status).toBe(200)
    await small.close()
  })
})

describe('auctions', () => {
  test('default: an auction is opened, quoted by two backers, streamed, stored and observed', async () => {
    const [one, two] = devnet.backers
    const backers = [
      await connectBacker(server.wsUrl, privateKeyToAccount(one.privateKey)),
      await connectBacker(server.wsUrl, privateKeyToAccount(two.privateKey)),
    ] as const
    const response = await post('/rfq/quote/stream', request())
    expect(response.status).toBe(200)
    const asked = [await backers[0].next('rfq'), await backers[1].next('rfq')] as const
    expect(asked[0].rfqId).toBe(asked[1].rfqId)

    const offers = [
      [backers[0], await signed({ vrtAmount: 9_000_000n, notional: 1_000_000_000n }, one)],
      [backers[1], await signed({ vrtAmount: 4_000_000n, notional: 1_000_000_000n }, two)],
    ] as const
    for (const [backer, quote] of offers) {
      backer.send({ type: 'quote', rfqId: asked[0].rfqId, quote })
      expect(await backer.next('quote_ack')).toMatchObject({ status: 'accepted', closesAt: asked[0].closesAt })
    }
    const frames = (await response.text())
      .split('\n\n')
      .filter((frame) => frame.startsWith('event: ') && !frame.startsWith('event: progress'))
      .map((frame) => /^event: (.*)\nid: (.*)\ndata: (.*)$/.exec(frame)?.slice(1) ?? [])
    expect(frames.map(([event]) => event)).toEqual(['started', 'quote', 'quote', 'done'])

    const started = decodeOrThrow(rfqStartedShape, JSON.parse(frames[0]?.[2] ?? ''), 'started')
    expect(frames.map(([, id]) => id)).toEqual([0, 1, 2, 3].map((index) => `${started.rfqId}:${index}`))
    borrowersIds.push(started.rfqId)
    expect(started).toMatchObject({ backers: 2, notional: 1_000_000_000n })
    // The public ID must not grant access to the auction.
    expect(asked[0].rfqId).not.toBe(started.rfqId)
    expect((await get(`/rfq/${asked[0].rfqId}`)).status).toBe(404)

    const done = decodeOrThrow(rfqSummaryShape, JSON.parse(frames[3]?.[2] ?? ''), 'done')
    const result = decodeOrThrow(rfqResultShape, await (await get(`/rfq/${started.rfqId}`)).json(), 'result')
    expect(result).toMatchObject({ status: 'closed', backers: 2, rejectedCount: 0, closedAt: done.closedAt })
    expect(result.quotes.map(({ quote }) => quote.vrtAmount)).toEqual([4_000_000n, 9_000_000n])
    expect(result.quotes.map(({ hash }) => hash)).toEqual(done.ranking)
    expect(result.quotes[0]?.quote.signature).toBe(offers[1][1].signature)
    // Another test's auction may close in between.
    let outcome = await backers[1].next('auction_result')
    while (outcome.rfqId !== asked[1].rfqId) outcome = await backers[1].next('auction_result')
    expect(outcome).toMatchObject({ quoteCount: 2, own: { hash: done.ranking[0] }, outcome: 'best' })

    const observed = await (await get('/rfq/quotes/recent?limit=2')).text()
    expect(observed).not.toContain('signature')
    const recent = decodeOrThrow(rfqObservationsShape, JSON.parse(observed), 'recent')
    expect(recent.quotes.map(({ hash, rfqId, executable }) => ({ hash, rfqId, executable }))).toEqual(
      expect.arrayContaining(done.ranking.map((hash) => ({ hash, rfqId: asked[0].rfqId, executable: true }))),
    )

    // Every endpoint's effective APY is of the same price, expiry and instant as its APR.
    const ratesAt = (price: QuotePrice, at: number) => ({
      apr: quoteApr(price, result.expiry, at),
      effectiveApy: quoteEffectiveApy(price, result.expiry, at),
    })
    const streamed = frames
      .slice(1, 3)
      .map(([, , data = '']) => decodeOrThrow(collectedQuoteShape, JSON.parse(data), 'quote'))
    for (const { quote, receivedAt, ...rates } of [...streamed, ...result.quotes]) {
      expect(rates).toMatchObject(ratesAt(quote, Math.floor(receivedAt / 1_000)))
    }
    const own = recent.quotes.filter(({ hash }) => done.ranking.includes(hash))
    for (const { observedAt, ...seen } of own) {
      expect(seen).toMatchObject(ratesAt(seen, Math.floor(observedAt / 1_000)))
    }
    expect([streamed.length, own.length]).toEqual([2, 2])

    expect(JSON.stringify(await (await get(`/quotes/${done.ranking[0]}`)).json())).not.toContain('signature')
    expect(JSON.stringify(await (await get('/quotes')).json())).not.toContain(String(done.ranking[0]))
    await Promise.all(backers.map((backer) => backer.end()))
  })

  test('default: an RFQ with an expiry waits for the result', async () => {
    const [pool] = devnet.pools
    const series = pool.series[1]
    const startedAt = performance.now()
    const response = await post('/rfq/quote', request({ seriesKey: undefined, expiry: (series?.expiry ?? 0) - 1 }))
    expect(performance.now() - startedAt).toBeGreaterThan(1_495)
    expect(response.status).toBe(200)
    const result = decodeOrThrow(rfqResultShape, await response.json(), 'result')
    expect(result).toMatchObject({ seriesKey: series?.seriesKey, expiry: series?.expiry, status: 'closed', quotes: [] })
  })

  test('behavior: an open auction has an open result', async () => {
    const response = await post('/rfq/quote/stream', request())
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const [, rfqId] = /"rfqId":"([0-9a-f]{32})"/.exec((await reader?.read())?.value ?? '') ?? []
    const result = decodeOrThrow(rfqResultShape, await (await get(`/rfq/${rfqId}`)).json(), 'result')
    expect(result).toMatchObject({ rfqId, status: 'open', closedAt: null })
    await reader?.cancel()
  })

  test.each(['/rfq/quote', '/rfq/quote/stream'])('error: RFQs that are rejected at %s', async (path) => {
    const poolId = `0x${'12'.repeat(32)}`
    expect(await problemOf(await post(path, request({ poolId })))).toMatchObject({
      status: 422,
      code: 'POOL_NOT_FOUND',
    })
    const seriesKey = devnet.pools[1].series[0]?.seriesKey
    expect(await problemOf(await post(path, request({ seriesKey })))).toMatchObject({
      status: 422,
      code: 'SERIES_NOT_FOUND',
      details: { available: devnet.pools[0].series.map(({ expiry }) => expiry) },
    })
    const far = request({ seriesKey: undefined, expiry: Number(nowSeconds()) + 20 * 365 * 86_400 })
    expect(await problemOf(await post(path, far))).toMatchObject({ status: 422, code: 'SERIES_NOT_FOUND' })
  })

  test('error: limits by address', async () => {
    async function openAt(api: string) {
      const leave = new AbortController()
      const response = await fetch(`${api}/rfq/quote/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request()),
        signal: leave.signal,
      })
      if (response.ok) leave.abort()
      return response
    }
    const narrow = await startRealServer(devnet, { durationMs: 60_000, serviceLimits: { openRfqs: 2 } })
    expect([(await openAt(narrow.api)).status, (await openAt(narrow.api)).status]).toEqual([200, 200])
    const third = await openAt(narrow.api)
    expect(third.headers.get('retry-after')).toBe('60')
    expect(await problemOf(third)).toMatchObject({ status: 429, code: 'TOO_MANY_OPEN', details: { open: 2, limit: 2 } })
    await narrow.close()

    const slow = await startRealServer(devnet, { serviceLimits: { rfqsPerMinute: 1 } })
    expect((await openAt(slow.api)).status).toBe(200)
    const second = await openAt(slow.api)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(55)
    expect(await problemOf(second)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    await slow.close()
  })

  test('error: an auction that does not exist', async () => {
    expect(await problemOf(await get(`/rfq/${'ab'.repeat(16)}`))).toMatchObject({ status: 404, code: 'RFQ_NOT_FOUND' })
  })
})

describe('bad input', () => {
  const word = `0x${'22'.repeat(32)}`
  const rfq = { poolId: word, seriesKey: word, notional: '1' }
  const rfqMistakes: [string, unknown, string][] = [
    ['a number for text', { ...rfq, notional: 5 }, 'notional'],
    ['a huge number', '{"poolId":"0x","notional":1e400}', 'notional'],
    ['zero', { ...rfq, notional: '0' }, 'notional'],
    ['a negative amount', { ...rfq, notional: '-1' }, 'notional'],
    ['a leading zero', { ...rfq, notional: '01' }, 'notional'],
    ['hex for decimal', { ...rfq, notional: '0x10' }, 'notional'],
    ['nothing for an amount', { ...rfq, notional: '' }, 'notional'],
    ['a space in an amount', { ...rfq, notional: ' 1' }, 'notional'],
    ['a fraction', { ...rfq, notional: '1.5' }, 'notional'],
    ['an exponent', { ...rfq, notional: '1e9' }, 'notional'],
    ['2^256', { ...rfq, notional: `${2n ** 256n}` }, 'notional'],
    ['ten thousand digits', { ...rfq, notional: '9'.repeat(10_000) }, 'notional'],
    ['31 bytes', { ...rfq, poolId: `0x${'22'.repeat(31)}` }, 'poolId'],
    ['33 bytes', { ...rfq, poolId: `0x${'22'.repeat(33)}` }, 'poolId'],
    ['hex with a comma', { ...rfq, poolId: `0x${'22'.repeat(31)},2` }, 'poolId'],
    ['hex without 0x', { ...rfq, poolId: '22'.repeat(32) }, 'poolId'],
    ['null', { ...rfq, poolId: null }, 'poolId'],
    ['a list', { ...rfq, poolId: [word] }, 'poolId'],
    ['neither series nor expiry', { poolId: word, notional: '1' }, 'seriesKey'],
    ['both series and expiry', { ...rfq, expiry: 1_800_000_000 }, 'seriesKey'],
    ['an expiry as text', { poolId: word, notional: '1', expiry: '1800000000' }, 'expiry'],
    ['an expiry with a fraction', { poolId: word, notional: '1', expiry: 1.5 }, 'expiry'],
    ['an expiry beyond integers', { poolId: word, notional: '1', expiry: 1e300 }, 'expiry'],
    ['a wrong checksum', { ...rfq, taker: '0x70997970c51812dc3a010c7d01b50e0d17dc79C8' }, 'taker'],
    ['an unknown key', { ...rfq, pool: word }, 'pool'],
    ['__proto__', `{"poolId":"${word}","seriesKey":"${word}","notional":"1","__proto__":{"taker":"x"}}`, '__proto__'],
    ['constructor', { ...rfq, constructor: { prototype: {} } }, 'constructor'],
    ['toString', { ...rfq, toString: 'x' }, 'toString'],
    ['a list for an object', [], ''],
    ['null for an object', 'null', ''],
    ['text for an object', '"x"', ''],
    ['a number for an object', '1', ''],
    ['nesting without end', `${'['.repeat(8_000)}${']'.repeat(8_000)}`, ''],
    ['an object without end', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, 'a'],
  ]
  for (const path of ['/rfq/quote', '/rfq/quote/stream']) {
    test.each(rfqMistakes)(`error: %s at ${path}`, async (_what, body, where) => {
      const problem = await problemOf(await post(path, body))
      expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
      expect(problem.errors?.map((error) => error.path)).toContain(where)
    })
  }

  const quoteMistakes: [string, (quote: SerializedSignedQuote) => unknown, string][] = [
    ['a missing field', ({ salt: _, ...quote }) => quote, 'salt'],
    ['a number for text', (quote) => ({ ...quote, nonce: 0 }), 'nonce'],
    ['2^256', (quote) => ({ ...quote, deadline: `${2n ** 256n}` }), 'deadline'],
    ['a negative amount', (quote) => ({ ...quote, vrtAmount: '-5' }), 'vrtAmount'],
    ['a notional of zero', (quote) => ({ ...quote, notional: '0' }), 'notional'],
    ['an address of 19 bytes', (quote) => ({ ...quote, maker: `0x${'11'.repeat(19)}` }), 'maker'],
    ['a salt of 31 bytes', (quote) => ({ ...quote, salt: `0x${'11'.repeat(31)}` }), 'salt'],
    ['half a byte of signature', (quote) => ({ ...quote, signature: '0x123' }), 'signature'],
    ['a signature that is no hex', (quote) => ({ ...quote, signature: '0xzz' }), 'signature'],
    ['an unknown key', (quote) => ({ ...quote, price: '1' }), 'price'],
    ['__proto__', (quote) => JSON.stringify(quote).replace('{', '{"__proto__":{"maker":"x"},'), '__proto__'],
    ['a quote in a quote', (quote) => ({ quote }), 'quote'],
  ]
  test.each(quoteMistakes)('error: %s at /quotes', async (_what, change, where) => {
    const problem = await problemOf(await post('/quotes', change(await signed())))
    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(problem.errors?.map((error) => error.path)).toContain(where)
  })

  const posts = ['/quotes', '/rfq/quote', '/rfq/quote/stream']
  test.each(posts)('error: a body that is not JSON at %s', async (path) => {
    for (const body of ['{"a":}', '{', '', 'NaN', "{'a':1}", '{"a":1}{', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const problem = await problemOf(await post(path, body))
      expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST', errors: [{ path: '' }] })
      expect(problem.detail).toContain('is not JSON')
    }
  })

  test.each(posts)('error: a body that repeats a key at %s', async (path) => {
    const problem = await problemOf(await post(path, '{"notional":"1","notional":"2"}'))
    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(problem.detail).toContain('an object repeats a key')
  })

  test.each(posts)('error: a body of 20 kB at %s', async (path) => {
    const body = { ...rfq, note: 'x'.repeat(20_000) }
    expect(await problemOf(await post(path, body))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    // The same request without a Content-Length header.
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 20; index += 1) controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)))
        controller.close()
      },
    })
    const streamed = await fetch(`${server.api}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    } as RequestInit)
    expect(await problemOf(streamed)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  })

  test.each(posts)('error: another media type at %s', async (path) => {
    const refused = async (headers: Record<string, string>) => {
      const response = await post(path, rfq, headers)
      expect(await problemOf(response)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
      expect(response.headers.get('accept-post')).toBe('application/json')
    }
    await refused({ 'content-type': 'text/plain' })
    await refused({ 'content-type': 'application/x-www-form-urlencoded' })
    await refused({ 'content-type': 'application/json; charset=utf-16' })
    const bare = await fetch(`${server.api}${path}`, { method: 'POST' })
    expect(await problemOf(bare)).toMatchObject({ status: 415 })
    const compressed = await post(path, rfq, { 'content-encoding': 'gzip' })
    expect(await problemOf(compressed)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  const queries: [string, string][] = [
    ['/quotes?maker=0x12', 'maker'],
    ['/quotes?maker=', 'maker'],
    ['/quotes?limit=0', 'limit'],
    ['/quotes?limit=101', 'limit'],
    ['/quotes?limit=1e2', 'limit'],
    ['/quotes?limit=5&limit=6', 'limit'],
    ['/quotes?sort=cheapest', 'sort'],
    ['/quotes?minNotional=-1', 'minNotional'],
    ['/quotes?maxNotional=0x10', 'maxNotional'],
    ['/quotes?poolId[]=0x12', 'poolId[]'],
    ['/quotes?colour=blue', 'colour'],
    ['/quotes?__proto__=x', '__proto__'],
    ['/quotes?__proto__[maker]=x', '__proto__[maker]'],
    ['/quotes?constructor=x', 'constructor'],
    ['/quotes?cursor=nonsense', 'cursor'],
    [`/quotes?cursor=${'x'.repeat(300)}`, 'cursor'],
    ['/quotes?maker=%zz', ''],
    ['/quotes?maker=%c3%28', ''],
    ['/rfq/quotes/recent?limit=-1', 'limit'],
    ['/rfq/quotes/recent?seriesKey=1', 'seriesKey'],
    ['/rfq/quotes/recent?poolId=1&poolId=2', 'poolId'],
    ['/rfq/quotes/recent?maker=x', 'maker'],
    ['/config?verbose=1', 'verbose'],
    ['/health?verbose=1', 'verbose'],
    ['/quotes/0x12', 'hash'],
    ['/quotes/nonsense', 'hash'],
    ['/quotes/%zz', ''],
    ['/quotes/%c0%ae', ''],
    ['/rfq/nonsense', 'rfqId'],
    [`/rfq/${'AB'.repeat(16)}`, 'rfqId'],
    ['/rfq/nonsense/stream', 'rfqId'],
    [`/rfq/${'ab'.repeat(16)}/stream?after=1`, 'after'],
    ['/rfq/%E0%A4%A', ''],
  ]
  test.each(queries)('error: GET %s', async (path, where) => {
    const problem = await problemOf(await get(path))
    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(problem.errors?.map((error) => error.path)).toEqual([where])
  })

  test.each([
    ['POST', '/config', 'GET'],
    ['PUT', '/health', 'GET'],
    ['DELETE', '/quotes', 'GET, POST'],
    ['PATCH', '/quotes', 'GET, POST'],
    ['PUT', `/quotes/${word}`, 'GET'],
    ['GET', '/rfq/quote', 'POST'],
    ['GET', '/rfq/quote/stream', 'POST'],
    ['POST', '/rfq/quotes/recent', 'GET'],
    ['DELETE', `/rfq/${'ab'.repeat(16)}`, 'GET'],
    ['POST', `/rfq/${'ab'.repeat(16)}/stream`, 'GET'],
  ])('error: %s %s is 405 and says %s', async (method, path, methods) => {
    const response = await fetch(`${server.api}${path}`, { method })
    expect(response.headers.get('allow')).toBe(methods)
    expect(await problemOf(response)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  })

  test.each(['/curve', '/api', '/api/v2/quotes', '/api/v1/nothing', '/api/v1/Quotes', '/api/v1/../../etc/passwd'])(
    'error: %s is not there',
    async (path) => {
      const response = await fetch(`${server.url}${path}`)
      expect(await problemOf(response)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    },
  )

  test('behavior: the log contains no signatures and no secret auction ids', async () => {
    const quote = await signed({ vrtAmount: 77n })
    expect((await post('/quotes', quote)).status).toBe(201)
    const { rfqId } = decodeOrThrow(rfqResultShape, await (await post('/rfq/quote', request())).json(), 'result')
    expect((await get(`/rfq/${rfqId}`)).status).toBe(200)
    const text = JSON.stringify(server.logs)
    expect(text).toContain('/api/v1/rfq/:rfqId')
    expect(text).not.toContain(rfqId)
    expect(text).not.toContain(quote.signature.slice(2, 66))
  })
})
