import { ChainUnavailableError, InvalidInputError } from '@firmquote/core'
import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { createScriptedAuction, createScriptedService, testDomain, testRfq } from '../../../test/scriptedService.ts'
import type { OpenRefusal, Requester } from '../../app/service.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'

type Overrides = NonNullable<Parameters<typeof createScriptedService>[0]>

const poolId = testRfq.poolId
const post = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ poolId, expiry: 1_800_000_000, notional: '1000000' }),
}

let running: ListeningServer | undefined
afterEach(() => running?.close())

async function start(overrides: Overrides = {}, options: { trustProxy?: boolean } = {}) {
  running = await listenForTest({ ...createScriptedService(overrides), domain: testDomain, ...options })
  return running
}

async function problemOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  const problem = decodeOrThrow(problemShape, await response.json(), 'problem')
  expect(problem.status).toBe(response.status)
  expect(problem.type).toBe(`urn:firmquote:problem:${problem.code}`)
  expect(problem.docs).toBe(`/learn/reference/errors#${problem.code.toLowerCase()}`)
  expect(problem.requestId).toBe(response.headers.get('x-request-id'))
  return problem
}

describe('failures', () => {
  const list = (error: unknown): Overrides => ({
    book: {
      listTexts: () => {
        throw error
      },
    },
  })

  test('error: an unknown error becomes an opaque 500, and the log contains its stack', async () => {
    const server = await start(list(new TypeError('secret: cannot read /data/firmquote.db')))
    const response = await fetch(`${server.api}/quotes`)
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 500, code: 'INTERNAL', detail: 'Something went wrong on our side.' })
    expect(JSON.stringify(problem)).not.toContain('secret')
    expect(server.logs).toContainEqual(
      expect.objectContaining({
        level: 50,
        requestId: problem.requestId,
        err: expect.objectContaining({ stack: expect.stringContaining('createHttpApp.test.ts') }),
      }),
    )
  })

  test.each([
    ['STORAGE_UNAVAILABLE', new StorageUnavailableError('disk full at /secret')],
    ['CHAIN_UNAVAILABLE', new ChainUnavailableError('https://node.example.com/secret did not answer')],
  ])('error: %s is a 503 with a retry time and without internal details', async (code, error) => {
    const server = await start(list(error))
    const response = await fetch(`${server.api}/quotes`)
    expect(response.headers.get('retry-after')).toBe('5')
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 503, code })
    expect(JSON.stringify(problem)).not.toContain('secret')
  })

  test('error: a cursor that the store does not know is a 400 with its path', async () => {
    const server = await start(list(new InvalidInputError('is not a cursor of this list.', { path: 'cursor' })))
    const response = await fetch(`${server.api}/quotes?cursor=abc`)
    expect(await problemOf(response)).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    })
  })

  test('error: a thrown value that is not an error', async () => {
    const server = await start(list('just text'))
    expect(await problemOf(await fetch(`${server.api}/quotes`))).toMatchObject({ status: 500, code: 'INTERNAL' })
  })

  test('error: DELETE of a quote is 405 even when the store does not answer', async () => {
    const server = await start({
      book: {
        find: async () => {
          throw new StorageUnavailableError('down')
        },
      },
    })
    const response = await fetch(`${server.api}/quotes/0x${'55'.repeat(32)}`, { method: 'DELETE' })
    expect(response.headers.get('allow')).toBe('GET')
    const { details, code } = await problemOf(response)
    expect(code).toBe('METHOD_NOT_ALLOWED')
    expect(details).toEqual({ chainId: 8453, to: testDomain.quoteMarket, raiseNonce: expect.stringMatching(/^0x/) })
  })

  test('behavior: a service that is down answers 503 with its health', async () => {
    const health = {
      status: 'down',
      database: 'down',
      sync: { head: null, synced: null, lagSeconds: null },
      backers: { connected: 0 },
      auctions: { open: 0 },
      version: '0.0.0',
    } as const
    const server = await start({ health: async () => health })
    const response = await fetch(`${server.api}/health`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual(health)
  })
})

describe('auctions that are not opened', () => {
  const refusals: [OpenRefusal, number, string | null][] = [
    [{ code: 'POOL_NOT_FOUND', poolId }, 422, null],
    [{ code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available: [1_800_000_000, 1_900_000_000] }, 422, null],
    [{ code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available: [] }, 422, null],
    [{ code: 'SERIES_EXPIRED', seriesKey: testRfq.seriesKey, expiry: 1_700_000_000 }, 422, null],
    [{ code: 'TOO_MANY_OPEN', open: 2, limit: 2 }, 429, '1'],
    [{ code: 'RATE_LIMITED', retryAfterSeconds: 42 }, 429, '42'],
    [{ code: 'OVERLOADED' }, 503, '5'],
    [{ code: 'CHAIN_UNAVAILABLE' }, 503, '5'],
  ]
  for (const path of ['quote', 'quote/stream']) {
    test.each(refusals)(`error: %j on ${path}`, async (rejection, status, retryAfter) => {
      const server = await start({ hub: { open: async () => ({ ok: false, rejection }) } })
      const response = await fetch(`${server.api}/rfq/${path}`, post)
      expect(response.headers.get('retry-after')).toBe(retryAfter)
      const problem = await problemOf(response)
      const { code, ...facts } = rejection
      expect(problem).toMatchObject({ status, code })
      expect(problem.details ?? {}).toEqual(facts)
    })
  }

  test('error: an auction that is aborted is answered with 503', async () => {
    const auction = createScriptedAuction()
    const server = await start({
      hub: {
        async open() {
          setImmediate(auction.abort)
          return { ok: true, value: auction }
        },
      },
    })
    const response = await fetch(`${server.api}/rfq/quote`, post)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await problemOf(response)).toMatchObject({ status: 503, code: 'OVERLOADED' })
  })

  test('behavior: a borrower that disconnects while waiting causes no errors', async () => {
    const auction = createScriptedAuction()
    const leave = new AbortController()
    const server = await start({
      hub: {
        async open() {
          leave.abort()
          return { ok: true, value: auction }
        },
      },
    })
    await expect(fetch(`${server.api}/rfq/quote`, { ...post, signal: leave.signal })).rejects.toThrow()
    const line = () => server.logs.find(({ msg, aborted }) => msg === 'request' && aborted === true)
    while (!line()) await new Promise((resolve) => setTimeout(resolve, 5))
    auction.finish({ ...testRfq, status: 'closed', closedAt: 1_300, backers: 0, rejectedCount: 0, quotes: [] })
    expect((await fetch(`${server.api}/health`)).status).toBe(200)
    expect(server.logs.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})

describe('the requester', () => {
  async function requesterWith(trustProxy: boolean) {
    const requesters: Requester[] = []
    const server = await start(
      {
        hub: {
          async open(_request, requester) {
            requesters.push(requester)
            return { ok: false, rejection: { code: 'OVERLOADED' } }
          },
        },
      },
      { trustProxy },
    )
    const headers = { ...post.headers, 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' }
    await fetch(`${server.api}/rfq/quote`, { ...post, headers })
    return requesters.map(({ address }) => address)
  }

  test('default: the address of the connection; a header that anyone can send does not count', async () => {
    expect(await requesterWith(false)).toEqual(['127.0.0.1'])
  })

  test('behavior: a trusted proxy names the client address', async () => {
    expect(await requesterWith(true)).toEqual(['2001:db8:1:2::/64'])
  })
})

describe('request ids and logs', () => {
  test('default: a harmless id is kept, any other replaced', async () => {
    const server = await start()
    const idFor = async (id: string) =>
      (await fetch(`${server.api}/config`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idFor('abc-123')).toBe('abc-123')
    for (const id of ['', 'a b', 'x'.repeat(65), 'inject"}', 'ä']) {
      expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('behavior: a log entry has the route and the outcome, but no data of the request', async () => {
    const server = await start()
    await fetch(`${server.api}/rfq/${testRfq.rfqId}`)
    await fetch(`${server.api}/quotes?cursor=private`)
    await fetch(`${server.url}/unknown/${testRfq.rfqId}`)
    while (server.logs.filter(({ msg }) => msg === 'request').length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(server.logs.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/api/v1/rfq/:rfqId', 404],
      ['GET', '/api/v1/quotes', 200],
      ['GET', 'unmatched', 404],
    ])
    expect(JSON.stringify(server.logs)).not.toMatch(new RegExp(`${testRfq.rfqId}|private`))
  })
})

describe('CORS', () => {
  test('default: answers and errors carry the header', async () => {
    const server = await start()
    for (const path of ['/config', '/nothing', '/quotes?limit=0']) {
      const response = await fetch(`${server.api}${path}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('x-powered-by')).toBeNull()
      expect(response.headers.get('etag')).toBeNull()
    }
  })

  test('behavior: a preflight is answered', async () => {
    const server = await start()
    const response = await fetch(`${server.api}/rfq/quote/stream`, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,last-event-id',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toMatch(/content-type.*last-event-id/)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})
