import { codes, deserializeSignedQuote, hashQuote } from '@firmquote/core'
import { problems } from '@firmquote/core/endpoints'
import { formatReadAuthorization, readAuthTypedData } from '@firmquote/core/protocol'
import { systemClock } from '@firmquote/core/utils'
import { describe, expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import pino from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { listenForTest } from '../../test/listenForTest.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { createPromMetrics } from '../adapters/promMetrics.ts'
import { defaultEntryLimits } from '../entry/entryLimits.ts'
import { createHttpApp } from '../entry/http/createHttpApp.ts'
import { passedHash, passedQuote } from '../entry/http/description/exampleFacts.ts'
import { StorageUnavailableError } from '../ports/errors.ts'

type Examples = Record<string, { value: unknown }>
type Content = Record<string, { schema: object; examples?: Examples }>
type Described = {
  operationId: string
  security?: object[]
  parameters?: { name: string; in: string; required: boolean; schema: object; examples?: Examples }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; headers: object; content: Content }>
}
type Document = {
  servers: { url: string }[]
  paths: Record<string, Record<string, Described> & { servers?: { url: string }[] }>
  components: { schemas: Record<string, object> }
}

/** A route's methods, which Express's type omits. */
const methodsOf = (route: object) =>
  methods.filter((method) => (route as { methods: Record<string, boolean> }).methods[method])

/** Expected statuses for examples that are meant to be rejected. */
const refused: Record<string, number> = {
  'submitQuote body.passed': 422,
  'getQuote hash.unknown': 404,
  'explainCancellation hash.listed': 405,
  'explainCancellation hash.unknown': 405,
  'getAuction rfqId.unknown': 404,
  'followAuction rfqId.unknown': 404,
  'followAuction receipts.on': 404,
  'getAuctionProof rfqId.unknown': 404,
  'getAuctionLeaves publicRfqId.unknown': 404,
  'getMakerProof publicRfqId.unknown': 404,
}

/**
 * Paths not in the document: the documents themselves, the pages, and the socket, which AsyncAPI describes.
 */
const apart = [
  'get /openapi.json',
  'get /asyncapi.json',
  'get /docs',
  'get /docs/:file',
  'get /learn{/*path}',
  'get /',
  'get /assets/:file',
  'get /ws/rfq',
]

const methods = ['get', 'post', 'delete'] as const

let server: RealServer
let document: Document
/** The `Authorization` header for a published quote's maker. */
let authorization: string
const ajv = new Ajv2020({ strict: false, allErrors: true })

useDevnet(async () => {
  server = await startRealServer(devnet, { durationMs: 300 })
  const [maker, backer] = devnet.backers
  const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
  const published = await fetch(`${server.api}/quotes`, { method: 'POST', ...jsonBody(quote) })
  expect(published.status).toBe(201)
  const nonce = `0x${'11'.repeat(32)}` as const
  const auth = { backer: maker.address, timestamp: Math.floor(Date.now() / 1_000), nonce }
  const typedData = readAuthTypedData({
    ...auth,
    ...domainOf(devnet),
    audience: `ws://localhost:${server.port}/ws/rfq`,
  })
  const signature = await privateKeyToAccount(maker.privateKey).signTypedData(typedData)
  authorization = formatReadAuthorization({ ...auth, signature })
  // A backer that sends quotes, so that results and observations exist.
  const line = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
  line.socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as {
      type: string
      rfqId: string
      seriesKey: `0x${string}`
      notional: string
    }
    if (message.type !== 'rfq') return
    const { rfqId, seriesKey, notional } = message
    const answer = createQuote(devnet, backer, { seriesKey, notional: BigInt(notional), vrtAmount: 7n })
    void signQuote(backer, domainOf(devnet), answer).then((signed) =>
      line.send({ type: 'quote', rfqId, quote: signed }),
    )
  })
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
  ajv.addSchema({ ...document, $id: 'openapi' })
  return () => server.close()
})

const jsonBody = (value: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** Every method of every endpoint. */
const described = (): { method: string; path: string; base: string; operation: Described }[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      const base = item.servers?.[0]?.url ?? document.servers[0]?.url ?? ''
      return operation ? [{ method, path, base: base.replace(/\/$/, ''), operation }] : []
    }),
  )

/** Returns the errors from validating a value against one of the document's schemas. */
function mistakes(schema: object, value: unknown): string[] {
  const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object
  const validate = ajv.compile(inDocument)
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

type Request = { name: string; url: string; init: RequestInit; operation: Described }

/**
 * One request per example. Each case sets the required parameters to their first example and adds one other parameter.
 */
function requests(): Request[] {
  return described().flatMap(({ method, path, base, operation }) => {
    const { operationId, parameters = [], requestBody } = operation
    const [needed, optional] = [parameters.filter((it) => it.required), parameters.filter((it) => !it.required)]
    const send = (name: string, values: Record<string, unknown>, body?: unknown): Request => {
      const query = new URLSearchParams()
      let filled = path
      for (const parameter of parameters) {
        const value = values[parameter.name] ?? (parameter.required ? first(parameter.examples) : undefined)
        if (value === undefined) continue
        if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, String(value))
        else query.set(parameter.name, String(value))
      }
      const url = `${server.url}${base}${filled}${query.size > 0 ? `?${query}` : ''}`
      const headers = operation.security ? { authorization } : {}
      const init = { method: method.toUpperCase(), headers, ...(body !== undefined && jsonBody(body)) }
      return { name: `${operationId}${name}`, url, init, operation }
    }
    const bodies = requestBody?.content['application/json']?.examples ?? {}
    const ofParameters = [...needed, ...optional].flatMap(({ name, examples = {} }) =>
      Object.entries(examples).map(([key, { value }]) => send(` ${name}.${key}`, { [name]: value }, first(bodies))),
    )
    const ofBodies = Object.entries(bodies).map(([key, { value }]) => send(` body.${key}`, {}, value))
    const bare = needed.length === 0 && !requestBody ? [send('', {})] : []
    return [...bare, ...ofParameters, ...ofBodies]
  })
}

const first = (examples: Examples = {}) => Object.values(examples)[0]?.value

describe('/openapi.json', () => {
  test('default: it is OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('behavior: it describes every route, and no other', () => {
    const { router } = createHttpApp({
      service: createScriptedService().service,
      domain: testDomain,
      clock: systemClock,
      log: pino({ enabled: false }),
      limits: defaultEntryLimits,
      audience: () => 'ws://localhost/ws/rfq',
      apiExplorer: new Map(),
      webApp: null,
      docsSite: null,
      relay: null,
      metrics: createPromMetrics(),
      trustProxy: false,
      draining: () => false,
      outOfDescriptors: () => false,
      machineName: 'localhost',
      closing: () => false,
      sockets: () => ({ pending: 0, seated: 0 }),
      protectConnection: () => () => {},
    })
    const routes = router.stack.flatMap(({ route }) =>
      route ? methodsOf(route).map((method) => `${method} ${route.path}`) : [],
    )
    const written = described().map(({ method, base, path }) => `${method} ${base}${path.replace(/\{(\w+)\}/g, ':$1')}`)
    expect(written.sort()).toEqual(routes.filter((route) => !apart.includes(route)).sort())
  })

  test('behavior: all supported headers are documented as optional', () => {
    const headers = described().flatMap(({ operation }) =>
      (operation.parameters ?? []).flatMap(({ name, in: where, required, schema }) =>
        where === 'header' ? [[operation.operationId, name, required, mistakes(schema, 'x').length > 0]] : [],
      ),
    )
    expect(headers.sort()).toEqual([
      ['followAuction', 'Last-Event-ID', false, true],
      ['requestQuotes', 'Idempotency-Key', false, true],
      ['requestQuotes', 'X-Api-Key', false, true],
      ['streamQuotes', 'Idempotency-Key', false, true],
      ['streamQuotes', 'X-Api-Key', false, true],
    ])
  })

  test('behavior: every code that is sent over HTTP is documented with its status', () => {
    const found = new Map<string, Set<string>>()
    for (const { operation } of described()) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const code of Object.keys(content['application/problem+json']?.examples ?? {})) {
          found.set(code, new Set([...(found.get(code) ?? []), status]))
        }
      }
    }
    const socketOnly = ['AUCTION_CLOSED', 'ALREADY_QUOTED', 'OUTCOME_UNKNOWN', 'MAKER_MISMATCH', 'TERMS_MISMATCH']
    const elsewhere = new Set([...socketOnly, 'NOT_FOUND'])
    for (const code of codes) {
      expect([code, [...(found.get(code) ?? [])]]).toEqual([
        code,
        elsewhere.has(code) ? [] : [String(problems[code].status)],
      ])
    }
  })

  test('behavior: every example matches its schema', () => {
    for (const { operation } of described()) {
      for (const { schema, examples = {} } of operation.parameters ?? []) {
        for (const { value } of Object.values(examples)) expect(mistakes(schema, value)).toEqual([])
      }
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      )
      for (const { schema, examples = {} } of contents) {
        for (const { value } of Object.values(examples)) expect(mistakes(schema, value)).toEqual([])
      }
    }
  })

  test('behavior: every example can be sent, and the response matches the document', async () => {
    const sent = await Promise.all(
      requests().map(async ({ name, url, init, operation }) => {
        const response = await fetch(url, init)
        const mediaType = response.headers.get('content-type')?.split(';')[0] ?? ''
        const text = await response.text()
        const content = operation.responses[response.status]?.content[mediaType]
        const value: unknown = mediaType.endsWith('json') ? JSON.parse(text) : text
        return {
          name,
          status: response.status,
          described: content !== undefined,
          mistakes: content ? mistakes(content.schema, value) : [],
        }
      }),
    )
    for (const answer of sent) {
      expect(answer).toEqual({ ...answer, status: refused[answer.name] ?? 200, described: true, mistakes: [] })
    }
    expect(sent.length).toBeGreaterThanOrEqual(20)
    expect(sent.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(refused)))
  })

  test('behavior: without a chain and a store, it is served with static examples', async () => {
    const fail = () => Promise.reject(new StorageUnavailableError('gone'))
    const { service } = createScriptedService({ book: { list: fail } })
    const markets = { ...service.markets, pools: fail }
    const listening = await listenForTest({ service: { ...service, markets }, domain: testDomain })
    const response = await fetch(`${listening.url}/openapi.json`)
    await listening.close()
    expect(response.status).toBe(200)
    const { paths } = (await response.json()) as Document
    const examples = paths['/quotes']?.['post']?.requestBody?.content['application/json']?.examples
    expect(Object.entries(examples ?? {}).map(([name, { value }]) => [name, value])).toEqual([['passed', passedQuote]])
    expect(hashQuote(deserializeSignedQuote(passedQuote), testDomain)).toBe(passedHash)
  })

  test('error: a response that does not match is detected', () => {
    expect(mistakes({ $ref: '#/components/schemas/SignedQuote' }, { maker: 'x' })).not.toEqual([])
    expect(mistakes({ $ref: '#/components/schemas/Bytes32' }, passedHash.slice(0, -1))).not.toEqual([])
  })
})
