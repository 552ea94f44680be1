import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import {
  type AuthMessage,
  type ClientMessage,
  codes,
  deserializeQuote,
  deserializeSignedQuote,
  hashQuote,
  maxRatePercent,
  quoteEffectiveApy,
  quoteTypedData,
  quoteTypes,
  type ServerMessage,
  secondsPerYear,
  toRfqId,
} from '@firmquote/core'
import { type Endpoint, endpoints, problems } from '@firmquote/core/endpoints'
import {
  backerAuthTypedData,
  closeCodes,
  hashBackerAuth,
  hashReadAuth,
  hashTakerAuth,
  readAuthAheadSeconds,
  readAuthLifetimeSeconds,
  readAuthTypedData,
  recoverSigner,
  signingTypes,
  takerAuthTypedData,
  takerAuthTypes,
  takerProofAheadSeconds,
  takerProofLifetimeSeconds,
} from '@firmquote/core/protocol'
import { encodeJson } from '@firmquote/core/utils'
import {
  authMessageShape,
  clientMessageShape,
  decode,
  describeShape,
  quoteOutcome,
  serverMessageShape,
} from '@firmquote/core/wire'
import { tableRows } from '@firmquote/test-support/tableRows'
import { acceptedLeaf, decodeRecord, receiptTypes, recoverReceipt, refusedLeaf } from '@firmquote/verify'
import { expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { listenForTest } from '../../test/listenForTest.ts'
import { noControls } from '../../test/noControls.ts'
import { createScriptedService, testDomain } from '../../test/scriptedService.ts'
import { batchLimits } from '../app/proofs/receiptBatches.ts'
import { verdictIntervalMs } from '../app/proofs/receipts.ts'
import { maxAttempts } from '../domain/applyAuctionEvent.ts'
import { authWindowMs, challengeLifetimeMs, createChallenge, judgeAuth } from '../domain/challenge.ts'
import { quoteRules } from '../domain/quoteRules.ts'
import { promiseSeconds } from '../domain/receipts.ts'
import { publicRfqId } from '../domain/rfqIds.ts'
import { defaultEntryLimits } from '../entry/entryLimits.ts'
import { asyncApiDocument } from '../entry/http/description/asyncApi.ts'
import { problemOfConnection } from '../entry/http/responses/rawProblem.ts'
import { settingLines } from '../start/usage.ts'

const protocol = readFileSync(new URL('../../../../docs/protocol.md', import.meta.url), 'utf8')

/** Returns the text from a heading to the next heading of any level. */
function section(heading: string): string {
  const [, text] = protocol.split(new RegExp(`^#+ ${heading}$`, 'm'))
  if (text === undefined) throw new RangeError(`docs/protocol.md has no heading "${heading}".`)
  return text.split(/^#+ /m)[0] ?? ''
}

/** Returns a table's cells, without backticks. */
function cells(heading: string): string[][] {
  const rows = tableRows(section(heading)).filter(([first]) => !first?.startsWith('---'))
  return rows.slice(1).map((row) => row.map((cell) => cell.replaceAll('`', '')))
}

function vector(name: string) {
  const [, text] = protocol.split(`<!-- vector: ${name} -->\n\`\`\`json\n`)
  return JSON.parse(text?.split('```')[0] ?? 'null')
}

/** The account that signed the test vectors. */
const signer = privateKeyToAccount(vector('quote').privateKey)

type Schema = {
  $ref?: string
  properties?: Record<string, unknown>
  required?: string[]
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const asyncApi = asyncApiDocument({ version: 'v1', audience: 'ws://localhost:3005/ws/rfq' }) as {
  channels: Record<string, { messages: Record<string, { payload: Schema; examples?: { payload: unknown }[] }> }>
  components: { schemas: Record<string, Schema> }
}

function resolve(schema: Schema): Schema {
  return schema.$ref ? (asyncApi.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

/** Returns a schema's alternatives, or the schema itself if it has none. */
function variantsOf(given: Schema): Schema[] {
  const schema = resolve(given)
  return schema.anyOf ?? schema.oneOf ?? [schema]
}

/** Returns a schema's fields as the tables show them: optional ones end with a question mark. */
function fieldsOf(given: Schema): string[] {
  const schema = resolve(given)
  const own = Object.keys(schema.properties ?? {}).map((name) => (schema.required?.includes(name) ? name : `${name}?`))
  return [...own, ...(schema.allOf ?? []).flatMap(fieldsOf)].filter((name) => name !== 'type')
}

test('behavior: the vector of a quote', async () => {
  const { chainId, quoteMarket, privateKey, quote: serialized, hash, signature } = vector('quote')
  const quote = deserializeQuote(serialized)
  expect(hashQuote(quote, { chainId, quoteMarket })).toBe(hash)
  const account = privateKeyToAccount(privateKey)
  expect(account.address).toBe(quote.maker)
  expect(await account.signTypedData(quoteTypedData(quote, { chainId, quoteMarket }))).toBe(signature)
})

test('behavior: the vectors and limits of the effective APY', () => {
  const vectors = vector('effective apy')
  expect(vectors.length).toBeGreaterThan(4)
  for (const { notional, vrtAmount, seconds, effectiveApy } of vectors) {
    const price = { notional: BigInt(notional), vrtAmount: BigInt(vrtAmount) }
    expect([price, quoteEffectiveApy(price, seconds, 0)]).toEqual([price, effectiveApy])
  }
  expect(section('Effective APY')).toContain(`^ (-${secondsPerYear} / seconds)`)
  expect(section('Effective APY')).toContain(`exceeds ${maxRatePercent.toLocaleString('en')} %`)
})

test('behavior: the fields of a quote and its EIP-712 type', () => {
  const fields = cells('2. The signed quote').flatMap(([names = '']) => names.split(', '))
  expect(fields).toEqual([...quoteTypes.Quote.map(({ name }) => name), 'signature'])
  expect(section('2. The signed quote')).toContain(
    `Quote(${quoteTypes.Quote.map(({ name, type }) => `${type} ${name}`).join(',')})`,
  )
})

test('behavior: the vector, the type and the purpose of an authentication', async () => {
  const { digest, signature, ...auth } = vector('backer auth')
  expect(hashBackerAuth(auth)).toBe(digest)
  expect(await signer.signTypedData(backerAuthTypedData(auth))).toBe(signature)
  const { backerAuth } = signingTypes(auth)
  const text = section('Authentication').replaceAll(/\s+/g, ' ')
  expect(text).toContain(backerAuth.type)
  expect(text).toContain(backerAuth.purpose)
})

test("behavior: the example of an authentication is the vector's", () => {
  const { backer, timestamp, signature } = vector('backer auth')
  const [example] = asyncApi.channels['backers']?.messages['auth']?.examples ?? []
  expect(example?.payload).toEqual({ type: 'auth', address: backer, timestamp, signature })
})

test('behavior: the vector and the type of a proof of taker', async () => {
  const { digest, signature, ...auth } = vector('taker auth')
  expect(hashTakerAuth(auth)).toBe(digest)
  expect(await signer.signTypedData(takerAuthTypedData(auth))).toBe(signature)
  const text = section('Proof of taker').replaceAll(/\s+/g, ' ')
  expect(text).toContain(`TakerAuth(${takerAuthTypes.TakerAuth.map(({ name, type }) => `${type} ${name}`).join(',')})`)
  expect(text).toContain(`\`${takerAuthTypedData(auth).message.purpose}\``)
  expect(text).toContain(`\`${takerAuthTypedData({ ...auth, shareRecord: true }).message.purpose}\``)
  expect(text).toContain(`valid for ${takerProofLifetimeSeconds / 3_600} hours`)
  expect(text).toContain(`${takerProofAheadSeconds} seconds ahead`)
})

test('behavior: the vector, the purpose and the times of a read authorization', async () => {
  const { digest, signature, ...auth } = vector('read auth')
  expect(hashReadAuth(auth)).toBe(digest)
  expect(await signer.signTypedData(readAuthTypedData(auth))).toBe(signature)
  const text = section('Authorization of a maker').replaceAll(/\s+/g, ' ')
  expect(text).toContain(`\`${readAuthTypedData(auth).message.purpose}\``)
  expect(text).toContain(`valid for ${readAuthLifetimeSeconds} seconds`)
  expect(text).toContain(`${readAuthAheadSeconds} seconds ahead`)
})

test("behavior: the receipt among the frames is signed, and its record is the promise of the session's quote", async () => {
  const frames: Frame[] = [...vector('session'), ...vector('other messages')]
  const messages = frames.flatMap((frame) => ('server' in frame ? [frame.server] : []))
  const ack = messages.find(({ type }) => type === 'quote_ack') as Extract<ServerMessage, { status: 'accepted' }>
  const frame = messages.find(({ type }) => type === 'receipt') as Extract<ServerMessage, { type: 'receipt' }>
  const { signer: address, leaf } = await recoverReceipt(frame.receipt)
  expect(address).toBe('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
  const { hash, rfqId, receivedAt, closesAt } = ack
  expect(decodeRecord(acceptedLeaf.kind, acceptedLeaf.layout, leaf)).toMatchObject({
    ...{ publicRfqId: `0x${rfqId}`, hash, maker: signer.address.toLowerCase(), receivedAt: BigInt(receivedAt), seq: 1 },
  })
  expect(frame).toMatchObject({ hash, rfqId, receipt: { mergeBy: Math.ceil(closesAt / 1_000) + promiseSeconds } })
  const text = section('Receipts')
  const fieldsOf = (layout: Record<string, string>) => Object.entries(layout).map(([name, type]) => `${type} ${name}`)
  for (const { kind, layout } of [acceptedLeaf, refusedLeaf])
    expect(text).toMatch(new RegExp(`\\| ${kind} \\| \\w+ \\| \`${fieldsOf(layout).join(', ')}\` \\|`))
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `Receipt(${receiptTypes.Receipt.map(({ name, type }) => `${type} ${name}`).join(',')})`,
  )
  expect(text.replaceAll(/\s+/g, ' ')).toContain(`if its socket already has ${batchLimits.perRequester} in the batch`)
  expect(text).toContain(`within ${verdictIntervalMs} ms`)
})

test('behavior: every outcome of a quote', () => {
  const described = describeShape(quoteOutcome, 'QuoteOutcome')
  const documented = cells('Outcome of a quote').map(([outcome]) => outcome)
  expect(documented).toEqual(described.kind === 'oneOf' ? described.values : [])
})

test('behavior: the vector of the two ids', () => {
  const ids = vector('public id')
  expect(publicRfqId(toRfqId(ids.rfqId))).toBe(ids.publicRfqId)
})

test('behavior: every endpoint, and no other', () => {
  const documented = cells('5. HTTP').map(([endpoint]) => endpoint)
  const real = Object.values(endpoints).map(
    ({ method, path, ...rest }) =>
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}${'root' in rest ? ' (root)' : ''}`,
  )
  expect([...documented].sort()).toEqual(real.sort())
})

test('behavior: every header, with the endpoints that read it', () => {
  const documented = cells('Headers of a request').map(([name]) => name)
  const read = Object.values<Endpoint>(endpoints).flatMap(({ headers = {} }) => Object.keys(headers))
  expect([...documented].sort()).toEqual([...new Set(read)].sort())
  for (const [endpoint, answer = ''] of cells('5. HTTP')) {
    const [, path] = endpoint?.split(' ') ?? []
    const record = Object.values<Endpoint>(endpoints).find((one) => one.path.replaceAll(/\{(\w+)\}/g, ':$1') === path)
    for (const name of Object.keys(record?.headers ?? {})) expect(answer).toContain(name)
  }
})

test('behavior: every code with its status, and no other', () => {
  const documented = Object.fromEntries(cells('Errors').map(([code, status]) => [code, Number(status)]))
  expect(documented).toEqual(Object.fromEntries(codes.map((code) => [code, problems[code].status])))
})

test('behavior: the fields of every event of a stream', () => {
  const documented = Object.fromEntries(cells('The stream of an auction').map(([name, fields]) => [name, fields]))
  const { messages = {} } = asyncApi.channels['stream'] ?? {}
  expect(documented).toEqual(
    Object.fromEntries(Object.entries(messages).map(([name, { payload }]) => [name, fieldsOf(payload).join(' ')])),
  )
})

test('behavior: the fields of every message of the socket', () => {
  const { messages = {} } = asyncApi.channels['backers'] ?? {}
  const real = Object.entries(messages).flatMap(([name, { payload }]) =>
    variantsOf(payload).map((schema) => `${name}: ${fieldsOf(schema).sort().join(' ')}`),
  )
  const documented = cells('Messages').map(
    ([, message = '', fields = '']) => `${message.split(' ')[0]}: ${fields.split(' ').sort().join(' ')}`,
  )
  expect(documented.sort()).toEqual(real.sort())
})

type Frame = { server: ServerMessage } | { client: AuthMessage | ClientMessage }

/** Returns the messages of a documented session, or throws if the real schemas do not accept one of them exactly. */
function decodeFrames(frames: readonly Frame[]): (ServerMessage | AuthMessage | ClientMessage)[] {
  return frames.map((frame) => {
    const message = 'server' in frame ? frame.server : frame.client
    const client = message.type === 'auth' ? authMessageShape : clientMessageShape
    const decoded = decode<ServerMessage | AuthMessage | ClientMessage>(
      'server' in frame ? serverMessageShape : client,
      message,
    )
    if (!decoded.ok) throw new TypeError(JSON.stringify(decoded.issues))
    expect(JSON.parse(encodeJson(decoded.value))).toEqual(message)
    return decoded.value
  })
}

test('behavior: every message of the socket has a complete frame', () => {
  const frames: Frame[] = [...vector('session'), ...vector('other messages')]
  const shown = frames.map((frame) => {
    const [[from, message] = ['', null]] = Object.entries(frame)
    const status = message?.type === 'quote_ack' ? ` (${message.status})` : ''
    return `${from} ${message?.type}${status}`
  })
  const documented = cells('Messages').map(([from, message]) => `${from} ${message}`)
  expect([...new Set(shown)].sort()).toEqual(documented.sort())
  expect(decodeFrames(frames)).toHaveLength(frames.length)
})

test('behavior: the session is consistent, from the challenge to the fill and the resumption', async () => {
  const frames = decodeFrames(vector('session'))
  const all = <Type extends (typeof frames)[number]['type']>(type: Type) =>
    frames.filter((message) => message.type === type) as Extract<(typeof frames)[number], { type: Type }>[]
  expect(frames.map(({ type }) => type)).toEqual([
    ...['auth_challenge', 'auth', 'authenticated', 'rfq', 'quote', 'quote_ack', 'auction_result'],
    ...['auth_challenge', 'auth', 'authenticated', 'resume', 'quote_status', 'resumed', 'quote_status'],
  ])
  const { signature } = vector('backer auth')
  expect(all('auth')[0]?.signature).toBe(signature)
  for (const [index, { challenge: text, chainId, quoteMarket, serverTime, expiresAt }] of all(
    'auth_challenge',
  ).entries()) {
    const [, , audience = '', nonce = ''] = text.split('|')
    const challenge = createChallenge({ audience, nonce: `0x${nonce}`, now: serverTime })
    expect(challenge).toMatchObject({ text, expiresAt })
    const answer = all('auth')[index]
    if (!answer) throw new TypeError('A challenge has no answer.')
    const attempt = { challenge, answer, chainId, quoteMarket, now: serverTime, controls: noControls }
    const verdict = await judgeAuth(attempt, recoverSigner)
    expect(verdict).toMatchObject({ ok: true, address: all('authenticated')[index]?.address })
  }
  const [rfq] = all('rfq')
  const [sent] = all('quote')
  const { chainId, quoteMarket, quote, hash, signature: signed } = vector('quote')
  expect(sent?.quote).toEqual(deserializeSignedQuote({ ...quote, signature: signed }))
  expect(hashQuote(deserializeQuote(quote), { chainId, quoteMarket })).toBe(hash)
  const { poolId, seriesKey, notional, minDeadline = 0n } = rfq ?? {}
  expect(sent?.quote).toMatchObject({ poolId, seriesKey, notional })
  expect(sent?.quote.deadline).toBeGreaterThanOrEqual(minDeadline)
  expect(all('quote_ack')).toMatchObject([{ id: sent?.id, rfqId: rfq?.rfqId, status: 'accepted', hash }])
  expect(all('auction_result')).toMatchObject([{ rfqId: rfq?.rfqId, own: { hash }, outcome: 'best' }])
  const [before, after] = all('authenticated')
  const [asked] = all('resume')
  expect(asked?.seq).toBe(before?.statusSeq)
  expect(all('quote_status').map(({ seq, final }) => [seq, final])).toEqual([
    [Number(before?.statusSeq) + 1, false],
    [Number(after?.statusSeq) + 1, true],
  ])
  for (const status of all('quote_status')) {
    expect(status).toMatchObject({ hash, status: 'filled', notional, cost: sent?.quote.vrtAmount })
  }
  expect(all('resumed')).toMatchObject([{ id: asked?.id, seq: after?.statusSeq, oldest: 1 }])
})

test('behavior: every HTTP status of an upgrade, and no other', async () => {
  const documented = cells('HTTP statuses of an upgrade').flatMap(([statuses = '']) => statuses.split(', ').map(Number))
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const handshake = (line: string, headers: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n${headers}\r\n\r\n`
  const server = await listenForTest({ ...createScriptedService(), domain: testDomain })
  const isLost = () => true
  const lost = await listenForTest({ ...createScriptedService({ storage: { isLost } }), domain: testDomain })
  const cases: [{ port: number }, string][] = [
    [server, handshake('GET /ws/rfq', `Upgrade: websocket\r\n${key}`)],
    [server, handshake('GET /ws/rfq', 'Upgrade: websocket')],
    [server, handshake('POST /ws/rfq', `Upgrade: websocket\r\n${key}`)],
    [server, handshake('GET /ws/other', `Upgrade: websocket\r\n${key}`)],
    [server, handshake('GET /ws/rfq', key)],
    [server, handshake('GET /ws/rfq', `X: ${'x'.repeat(40_000)}`)],
    [lost, handshake('GET /ws/rfq', `Upgrade: websocket\r\n${key}`)],
  ]
  const statuses = await Promise.all(cases.map(([{ port }, text]) => statusOf(port, text)))
  await Promise.all([server.close(), lost.close()])
  // The timeout of a request. Waiting for it would take 15 seconds.
  const { status: timedOut } = problemOfConnection('ERR_HTTP_REQUEST_TIMEOUT')
  expect([...statuses, timedOut].sort()).toEqual(documented.sort())
})

/** Sends a raw request and returns the status of its answer. */
async function statusOf(port: number, text: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString())?.[1])
}

test('behavior: every close code', () => {
  const documented = cells('Close codes').map(([code]) => Number(code))
  // 1001 is defined by WebSocket itself, not by this service.
  expect(documented).toEqual([1001, ...Object.values(closeCodes)])
})

test('behavior: the defaults of the limits', () => {
  const constants = Object.entries(quoteRules).map(([name, value]) => [name, String(value)] as const)
  const defaults = new Map([...settingLines().map(({ name, fallback }) => [name, fallback] as const), ...constants])
  const documented = cells('7. Limits')
  expect(documented.length).toBeGreaterThan(10)
  for (const [name = '', fallback] of documented) expect([name, defaults.get(name)]).toEqual([name, fallback])
  expect(documented.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(quoteRules)))
})

test('behavior: the times and counts in the text', () => {
  const { authBytes, authTimeoutMs, messageBytes, pingIntervalMs, sessionMs, unreadableMessages } = defaultEntryLimits
  const text = protocol.replaceAll(/\s+/g, ' ')
  expect(maxAttempts).toBe(3)
  expect(text).toContain('three attempts and can have at most one accepted quote')
  expect(text).toContain(`valid for ${challengeLifetimeMs / 1_000} seconds`)
  expect(text).toContain(`within ${authWindowMs / 1_000} seconds of its clock`)
  expect(text).toContain(`size (${authBytes / 1_024} KiB)`)
  expect(text).toContain(`one attempt per socket, within ${authTimeoutMs / 1_000} seconds`)
  expect(text).toContain(`A session lasts ${sessionMs / 3_600_000} hours`)
  expect(text).toContain(`frames of at most ${messageBytes / 1_024} KiB`)
  expect(text).toContain(`protocol pings every ${pingIntervalMs / 1_000} seconds`)
  expect(unreadableMessages).toBe(3)
  expect(text).toContain('closes the socket after the third')
})
