import { createRequire } from 'node:module'
import { describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { privateKeyToAccount } from 'viem/accounts'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, signQuote } from '../../test/signedQuotes.ts'
import { answerChallenge, connectBacker, openSocket } from '../../test/socketClient.ts'

type Message = { name: string; payload: object; summary: string; examples?: { payload: object }[] }
type Document = {
  servers: Record<string, { host: string; protocol: string }>
  channels: Record<'backers' | 'stream', { address: string; messages: Record<string, Message> }>
  operations: Record<string, { action: string; messages: { $ref: string }[]; reply?: { messages: { $ref: string }[] } }>
}

const require = createRequire(import.meta.url)

let server: RealServer
let document: Document
const ajv = new Ajv({ strict: false, allErrors: true })
formats(ajv)

useDevnet(async () => {
  server = await startRealServer(devnet, { durationMs: 1_500 })
  document = (await (await fetch(`${server.url}/asyncapi.json`)).json()) as Document
  ajv.addSchema({ ...document, $id: 'asyncapi' })
  return () => server.close()
})

/** Returns the errors from validating a message against the document. */
function mistakes(channel: 'backers' | 'stream', name: string, value: unknown): unknown {
  const message = document.channels[channel].messages[name]
  if (!message) return `${name} is not described`
  const validate = ajv.compile(JSON.parse(JSON.stringify(message.payload).replaceAll('"#/', '"asyncapi#/')) as object)
  return validate(value) ? [] : validate.errors
}

describe('/asyncapi.json', () => {
  test('default: it is AsyncAPI 3.0', () => {
    const meta = require('@asyncapi/specs/schemas/3.0.0.json') as object
    // The meta-schema embeds the schemas it references.
    const validate = formats(new Ajv({ strict: false, meta: false, validateSchema: false })).compile(meta)
    expect([validate(document), validate.errors]).toEqual([true, null])
    expect(validate({ ...document, channels: { backers: { address: 5 } } })).toBe(false)
  })

  test('behavior: it contains the socket URL that backers have to sign', () => {
    expect(document.servers['socket']).toMatchObject({ host: `localhost:${server.port}`, protocol: 'ws' })
    expect(document.channels.backers.address).toBe('/ws/rfq')
  })

  test('behavior: every message has a summary and an operation, and every pointer resolves', () => {
    const { channels, operations } = document
    const used = Object.values(operations).flatMap(({ messages }) => messages.map(({ $ref }) => $ref))
    const all = Object.entries(channels).flatMap(([channel, { messages }]) =>
      Object.keys(messages).map((name) => `#/channels/${channel}/messages/${name}`),
    )
    expect([...used].sort()).toEqual([...all].sort())
    const replies = Object.values(operations).flatMap(({ reply }) => reply?.messages.map(({ $ref }) => $ref) ?? [])
    expect(all).toEqual(expect.arrayContaining(replies))
    for (const { messages } of Object.values(channels)) {
      for (const { summary } of Object.values(messages)) expect(summary).toMatch(/\S/)
    }
  })

  test('behavior: messages of a real socket and a real stream match the document', async () => {
    const [backer, other] = devnet.backers
    const seen = { backers: new Set<string>(), stream: new Set<string>() }
    const check = (channel: 'backers' | 'stream', name: string, value: unknown) => {
      seen[channel].add(name)
      expect([name, mistakes(channel, name, value)]).toEqual([name, []])
    }
    const listen = (socket: { on(event: 'message', handle: (data: unknown) => void): void }) => {
      const heard: { type: string }[] = []
      socket.on('message', (data) => heard.push(JSON.parse(String(data)) as { type: string }))
      return heard
    }

    const refused = openSocket(server.wsUrl)
    const heardByRefused = listen(refused.socket)
    const challenge = await refused.next('auth_challenge')
    const answer = await answerChallenge(challenge, privateKeyToAccount(other.privateKey), { timestamp: 1 })
    check('backers', 'auth', answer)
    refused.send(answer)
    await refused.closed

    const line = await connectBacker(server.wsUrl, privateKeyToAccount(backer.privateKey))
    const heard = listen(line.socket)
    check('backers', 'authenticated', line.session)
    for (const { examples = [], name } of Object.values(document.channels.backers.messages)) {
      for (const { payload } of examples) {
        check('backers', name, payload)
        // The backer sends only these messages; the service sends the others.
        if (['decline', 'resume', 'ping'].includes(name)) line.send(payload)
      }
    }
    line.send({ type: 'nonsense' })
    await line.next('error')

    const [{ poolId }] = devnet.pools
    const stream = fetch(`${server.api}/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, expiry: Math.floor(Date.now() / 1_000) + 60, notional: '1000000000' }),
    })
    const { rfqId, seriesKey, notional } = await line.next('rfq')
    const good = createQuote(devnet, backer, { seriesKey, notional: BigInt(notional) })
    const quote = await signQuote(backer, domainOf(devnet), good)
    for (const message of [
      { type: 'quote', id: 'bad', rfqId, quote: { ...quote, vrtAmount: '1' } },
      { type: 'quote', id: 'good', rfqId, quote },
    ]) {
      check('backers', 'quote', message)
      line.send(message)
      await line.next('quote_ack')
    }
    const events = (await (await stream).text()).matchAll(/event: (\w+)\nid: .*\ndata: (.*)\n/g)
    for (const [, name = '', data = ''] of events) check('stream', name, JSON.parse(data))
    await line.next('auction_result')
    await line.end()

    for (const message of [...heardByRefused, ...heard]) check('backers', message.type, message)
    // The service sends this message a minute after the close, too late for this test.
    check('backers', 'auction_distance', { type: 'auction_distance', rfqId, hash: quote.salt, distance: 'within_5' })
    const described = Object.keys(document.channels.backers.messages)
    expect([...seen.backers].sort()).toEqual(described.sort())
    expect([...seen.stream].sort()).toEqual(['done', 'quote', 'started'])
  })

  test('error: a message that does not match is detected', () => {
    expect(mistakes('backers', 'ping', { type: 'ping', more: 1 })).not.toEqual([])
    expect(mistakes('backers', 'rfq', { type: 'rfq' })).not.toEqual([])
    expect(mistakes('backers', 'quote_ack', { type: 'quote_ack', status: 'maybe' })).not.toEqual([])
  })
})
