import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { type RFQAuctionEvent, ServiceClient } from '@firmquote/sdk'
import { type Collector, type ReceivedSpan, startCollector } from '@firmquote/test-support/startCollector'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { quoteOf } from './quoteOf.ts'
import { stopAfter } from './stopAfter.ts'

// Tests the trace of a real auction with two daemons and a maker without tracing, as a collector receives it.

const apiKey = 'collector-key-0123456789'
const usd = 1_000_000n
const [traceId, borrowerSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

let collector: Collector
let stack: Stack
const programs: Program[] = []
const using = stopAfter(afterAll)

beforeAll(async () => {
  const own = { AUCTION_DURATION_MS: '1500', SHUTDOWN_TIMEOUT_MS: '8000', LOG_LEVEL: 'debug' }
  collector = await startCollector()
  using({ stop: collector.close })
  stack = using(await startStack({ ...own, ...settings() }))
}, 60_000)

const settings = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${apiKey}`,
})

const clientOf = (account?: Stack['devnet']['backers'][number]) => {
  const { contracts, chainId } = stack.devnet
  const client = new ServiceClient({
    ...{ orderbookUrl: stack.url, chainId },
    ...{ quoteMarketAddress: contracts.quoteMarket, interestRatePoolAddress: contracts.interestRatePool },
  })
  if (account) client.setPrivateKey(account.privateKey)
  return client
}

const market = () => {
  const [{ poolId, series }] = stack.devnet.pools
  return { poolId, seriesKey: series[1]?.seriesKey ?? poolId }
}

/** Connects a maker that quotes for each RFQ but does not use tracing. */
async function connectPlainMaker(account: Stack['devnet']['backers'][number]) {
  const client = clientOf(account)
  const seen: { rfqs: RFQBroadcast[]; traces: unknown } = { rfqs: [], traces: 'never connected' }
  const signatures: string[] = []
  const quote = async (rfq: RFQBroadcast) => {
    seen.rfqs.push(rfq)
    const { poolId, seriesKey, notional } = rfq
    const plain = quoteOf(account.address, { poolId, seriesKey, notional, vrtAmount: notional / 10n })
    const signed = await client.signQuoteMarketQuote(plain)
    signatures.push(signed.signature)
    await client.getWebSocketClient()?.submitSerializedQuote(rfq.rfqId, signed)
  }
  await client.connectWebSocket({
    onAuthenticated: (message) => {
      seen.traces = message.traces
    },
    onRFQ: quote,
  })
  return { seen, signatures, stop: () => client.disconnectWebSocket() }
}

/** Returns Node flags and variables that make a program record its loaded modules. */
function watchLoading(name: string) {
  const [watch, list] = [join(stack.folder, `${name}.mjs`), join(stack.folder, `${name}.txt`)]
  writeFileSync(
    watch,
    `import { appendFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     registerHooks({ resolve(specifier, context, next) {
       appendFileSync(process.env.LOADED, specifier + '\\n')
       return next(specifier, context)
     } })`,
  )
  const loaded = () => readFileSync(list, 'utf8').split('\n')
  return {
    flags: ['--import', String(pathToFileURL(watch))],
    environment: { LOADED: list },
    loaded,
    // prom-client loads the API package, which contains only interfaces.
    ofTraces: () => loaded().filter((specifier) => /opentelemetry(?!\/api$)/i.test(specifier)),
  }
}

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)
const childrenOf = (spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId)
const namesOf = (spans: readonly ReceivedSpan[]) => spans.map(({ name }) => name).sort()
function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const [found, ...more] = named(spans, name)
  if (!found || more.length > 0) throw new TypeError(`There are ${named(spans, name).length} spans ${name}.`)
  return found
}

test('default: one trace covers the path from the request to each maker and back, and contains no secrets', async () => {
  const [first, second, third] = stack.devnet.backers
  for (const [index, account] of [first, second].entries()) {
    const folder = join(stack.folder, `daemon-${index}`)
    const { flags: nodeFlags, environment, ofTraces } = watchLoading(`daemon-${index}`)
    const own = { account, folder, spreadBps: 20 + index, nodeFlags }
    const daemon = startDaemon(stack, { ...own, environment: { ...environment, ...settings() } })
    programs.push(using(daemon))
    await daemon.says(/^ready 0x/m)
    expect(ofTraces()).toContain('@opentelemetry/sdk-trace')
  }
  const plain = await connectPlainMaker(third)
  const events: RFQAuctionEvent[] = []
  const notional = 123_457n * usd
  const traceparent = `00-${traceId}-${borrowerSpan}-01`
  for await (const event of clientOf().streamQuotes({ ...market(), notional }, { traceparent })) events.push(event)
  plain.stop()
  expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'quote', 'quote', 'done'])
  await collector.until(
    (spans) =>
      named(spans, 'answer rfq').length === 2 &&
      named(spans, 'process quote').length === 3 &&
      ['POST /api/v1/rfq/quote/stream', 'closeAuction'].every((name) => named(spans, name).length === 1),
  )

  const spans = collector.spans.filter((span) => span.traceId === traceId)
  const request = only(spans, 'POST /api/v1/rfq/quote/stream')
  expect(request).toMatchObject({
    ...{ parentSpanId: borrowerSpan, service: 'firmquote-server', kind: 2 },
    events: ['started', 'quote', 'quote', 'quote', 'done'],
    attributes: { 'http.request.method': 'POST', 'http.route': '/api/v1/rfq/quote/stream' },
  })
  const opening = only(childrenOf(spans, request), 'open auction')
  expect(namesOf(childrenOf(spans, opening))).toEqual(['closeAuction', 'openAuction', 'send rfq'])
  const sent = only(spans, 'send rfq')
  expect(opening.attributes['firmquote.rfq.id']).toBe(sent.attributes['firmquote.rfq.id'])
  expect(namesOf(childrenOf(spans, sent))).toEqual(['answer rfq', 'answer rfq', 'process quote'])

  const answers = named(spans, 'answer rfq')
  expect(new Set(answers.map(({ instance }) => instance)).size).toBe(2)
  for (const answer of answers) {
    expect([answer.service, answer.attributes['firmquote.code']]).toEqual(['firmquote-daemon', 'ACCEPTED'])
    expect(namesOf(childrenOf(spans, answer))).toEqual(['price', 'read maker state', 'send quote', 'sign'])
    const quote = only(childrenOf(spans, answer), 'send quote')
    expect(namesOf(childrenOf(spans, quote))).toEqual(['process quote'])
  }
  for (const judged of named(spans, 'process quote')) {
    expect(judged).toMatchObject({ service: 'firmquote-server', events: ['quote_ack'] })
    expect(judged.attributes['firmquote.code']).toBe('ACCEPTED')
    expect(namesOf(childrenOf(spans, judged))).toEqual(['acceptQuote', 'decode', 'read quote state', 'recover signer'])
  }
  for (const span of spans) {
    expect(span.end).toBeGreaterThanOrEqual(span.start)
    expect(span.hasFailed).toBe(false)
  }

  // A maker that did not request traces receives messages without trace fields.
  expect(plain.seen.traces).toBeUndefined()
  expect(plain.seen.rfqs.map((rfq) => 'traceparent' in rfq)).toEqual([false])

  const [started] = events
  const secrets = [
    ...(started?.type === 'started' ? [started.data.rfqId] : []),
    ...events.flatMap((event) => (event.type === 'quote' ? [event.data.quote.signature.slice(2, 66)] : [])),
    ...plain.signatures.map((signature) => signature.slice(2, 66)),
    ...[first, second, third].flatMap(({ address, privateKey }) => [address.slice(2), privateKey.slice(2)]),
    ...[String(notional), apiKey],
  ]
  expect(secrets.length).toBeGreaterThanOrEqual(13)
  const written = collector.requests
    .map(({ body }) => body)
    .join('\n')
    .toLowerCase()
  expect(secrets.filter((secret) => written.includes(secret.toLowerCase()))).toEqual([])
  const logs = [stack.logs(), ...programs.map((program) => program.output())].join('\n')
  expect(logs).not.toContain(apiKey)
  // The trace contains the public id, to correlate it with logs.
  expect(toPublicRfqId(String(sent.attributes['firmquote.rfq.id']))).toBe(plain.seen.rfqs[0]?.rfqId)
}, 45_000)

test('behavior: an invalid traceparent starts a new trace and is not rejected', async () => {
  for (const given of ['garbage', `00-${'0'.repeat(32)}-${borrowerSpan}-01`, 'x'.repeat(4_000)]) {
    const response = await fetch(`${stack.url}/api/v1/rates/current`, { headers: { traceparent: given } })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  const unwanted = await fetch(`${stack.url}/api/v1/rates/current`, {
    headers: { traceparent: `00-${'ab'.repeat(16)}-${borrowerSpan}-00` },
  })
  await unwanted.arrayBuffer()
  const missing = `/api/v1/rfq/${'0'.repeat(32)}`
  expect((await fetch(`${stack.url}${missing}`)).status).toBe(404)
  const route = 'GET /api/v1/rates/current'
  await collector.until(
    (spans) => named(spans, route).length === 3 && named(spans, 'GET /api/v1/rfq/:rfqId').length === 1,
  )
  for (const { parentSpanId, attributes } of named(collector.spans, route)) {
    expect(parentSpanId).toBe('')
    expect(attributes['http.response.status_code']).toBe(200)
  }
  expect(only(collector.spans, 'GET /api/v1/rfq/:rfqId')).toMatchObject({
    attributes: { 'firmquote.code': 'RFQ_NOT_FOUND', 'http.response.status_code': 404 },
    hasFailed: false,
  })
  expect(collector.spans.some((span) => span.traceId === 'ab'.repeat(16))).toBe(false)
}, 30_000)

test('behavior: without a collector, no OpenTelemetry module is loaded', async () => {
  const { flags, environment, ofTraces, loaded } = watchLoading('off')
  const own = { RPC_URL: stack.devnet.rpcUrl, PORT: '0', DATA_DIR: join(stack.folder, 'off-data') }
  const server = startProgram(programOf('server'), [], { ...own, ...environment }, flags)
  const ofDaemon = watchLoading('off-daemon')
  const daemon = startDaemon(stack, {
    ...{ account: stack.devnet.backers[2], folder: join(stack.folder, 'off-daemon-data'), spreadBps: 20 },
    ...{ nodeFlags: ofDaemon.flags, environment: ofDaemon.environment },
  })
  programs.push(using(server), using(daemon))
  await Promise.all([server.says(/^ready http/m), daemon.says(/^ready 0x/m)])
  expect([ofTraces(), ofDaemon.ofTraces()]).toEqual([[], []])
  for (const all of [loaded(), ofDaemon.loaded()]) expect(all).toContain('pino')
  // Other tests' auctions use their own backers.
  await daemon.stop()
}, 45_000)
