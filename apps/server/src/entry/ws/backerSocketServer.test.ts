// The rules of the socket protocol, with a scripted service and a fake clock. Long because all tests share one setup.

import { once } from 'node:events'
import { toPublicRfqId } from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { frame, openRawSocket } from '../../../test/rawSocket.ts'
import { createScriptedService, testDomain, testRfq } from '../../../test/scriptedService.ts'
import { answerChallenge, connectBacker, openSocket } from '../../../test/socketClient.ts'
import { createInProcessPresence } from '../../adapters/inProcessPresence.ts'
import type { BackerSession, SubmissionVerdict } from '../../app/service.ts'
import { encodeControl, indexControls } from '../../domain/controls/controls.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const quote = {
  maker: account.address,
  taker: '0x0000000000000000000000000000000000000000',
  poolId: testRfq.poolId,
  seriesKey: testRfq.seriesKey,
  notional: '1000',
  vrtAmount: '10',
  nonce: '0',
  deadline: '1800000000',
  salt: `0x${'66'.repeat(32)}`,
  signature: `0x${'77'.repeat(65)}`,
}

const running: ListeningServer[] = []
async function start(options: Partial<Parameters<typeof listenForTest>[0]> = {}) {
  const server = await listenForTest({ ...createScriptedService(), domain: testDomain, ...options })
  running.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

const alive = async ({ api }: ListeningServer) => expect((await fetch(`${api}/health`)).status).toBe(200)

describe('sessions', () => {
  test('default: challenge, answer, session', async () => {
    const clock = createFakeClock()
    const { service, sessions } = createScriptedService()
    const server = await start({ service, clock, audience: 'wss://rfq.example.com/ws/rfq' })
    const client = openSocket(server.wsUrl)
    const challenge = await client.next('auth_challenge')
    expect(challenge).toEqual({
      type: 'auth_challenge',
      challenge: expect.stringMatching(/^firmquote-auth\|1\|wss:\/\/rfq\.example\.com\/ws\/rfq\|[0-9a-f]{64}$/),
      chainId: 8453,
      quoteMarket: testDomain.quoteMarket,
      serverTime: clock.now(),
      expiresAt: clock.now() + 30_000,
    })
    client.send(await answerChallenge(challenge, account))
    expect(await client.next('authenticated')).toEqual({
      type: 'authenticated',
      address: account.address,
      sessionId: expect.any(String),
      expiresAt: clock.now() + 86_400_000,
      openRfqs: [],
      statusSeq: 0,
    })
    expect([...sessions].map(({ address }) => address)).toEqual([account.address])
    await client.end()
    while (sessions.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  test.each([
    ['?traces=1', true],
    ['', undefined],
    ['?traces=0', undefined],
    ['?traces=true&more=1', undefined],
    ['?more=%&traces=1', true],
  ])('behavior: a session of /ws/rfq%s has traces: %p', async (query, traces) => {
    const { service, sessions } = createScriptedService()
    const server = await start({ service })
    const backer = await connectBacker(`${server.wsUrl}${query}`, account)
    expect(backer.session.traces).toBe(traces)
    expect([...sessions].map((session) => session.traces)).toEqual([traces === true])
    await backer.end()
  })

  test('behavior: every socket has its own challenge', async () => {
    const server = await start()
    const clients = Array.from({ length: 5 }, () => openSocket(server.wsUrl))
    const challenges = await Promise.all(clients.map(async (client) => (await client.next('auth_challenge')).challenge))
    expect(new Set(challenges).size).toBe(5)
    await Promise.all(clients.map((client) => client.end()))
  })

  test('behavior: frames of the hub reach the backer unchanged', async () => {
    const { service, sessions } = createScriptedService()
    const server = await start({ service })
    const backer = await connectBacker(server.wsUrl, account)
    const [session] = sessions as Set<BackerSession>
    session?.send(JSON.stringify({ type: 'auction_result', rfqId: testRfq.rfqId, closedAt: 1, quoteCount: 0 }))
    expect(await backer.next('auction_result')).toMatchObject({ rfqId: testRfq.rfqId, quoteCount: 0 })
    await backer.end()
    // Sending to a closed session must not throw.
    expect(() => session?.send('{}')).not.toThrow()
  })

  test('error: no answer in time closes 4408', async () => {
    const clock = createFakeClock()
    const server = await start({ clock })
    const client = openSocket(server.wsUrl)
    await client.next('auth_challenge')
    clock.advance(9_999)
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    clock.advance(1)
    expect(await client.closed).toEqual({ code: 4408, reason: 'auth_timeout' })
  })

  test('error: a session ends after a day with 1012', async () => {
    const clock = createFakeClock()
    const server = await start({ clock, limits: { pingIntervalMs: 100_000_000 } })
    const backer = await connectBacker(server.wsUrl, account)
    clock.advance(86_400_000)
    expect(await backer.closed).toEqual({ code: 1012, reason: 'session_expired' })
  })

  test('error: a fourth socket of one address is refused with 4429, which releases none of the three', async () => {
    const server = await start()
    const first = await connectBacker(server.wsUrl, account)
    const others = [await connectBacker(server.wsUrl, account), await connectBacker(server.wsUrl, account)]
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const fourth = openSocket(server.wsUrl)
      fourth.send(await answerChallenge(await fourth.next('auth_challenge'), account))
      expect(await fourth.next('auth_failed')).toMatchObject({ code: 'too_many_connections' })
      expect(await fourth.closed).toEqual({ code: 4429, reason: 'too_many_connections' })
    }
    const unrelated = await connectBacker(server.wsUrl, privateKeyToAccount(`0x${'08'.repeat(32)}`))
    await first.end()
    const again = await connectBacker(server.wsUrl, account)
    await Promise.all([...others, unrelated, again].map((client) => client.end()))
  })

  test('error: a ban during the authentication is not missed', async () => {
    const { service } = createScriptedService()
    const ban = { kind: 'ban', maker: account.address, since: 1, until: null, why: 'test' } as const
    const banned = indexControls({ version: 1, controls: [encodeControl(ban)] })
    // The last step before the session listens for changes.
    const enter = async (backer: Address) => {
      service.controls.current = () => banned
      return createInProcessPresence(1).enter(backer)
    }
    const presence = { ...service.presence, enter }
    const server = await start({ service: { ...service, presence } })
    const client = openSocket(server.wsUrl)
    client.send(await answerChallenge(await client.next('auth_challenge'), account))
    expect(await client.next('auth_failed')).toMatchObject({ code: 'banned' })
    expect(await client.closed).toEqual({ code: 4423, reason: 'banned' })
  })

  test('error: a maker without funds above the total limit is closed with 1013', async () => {
    const server = await start({ limits: { sockets: 1 } })
    const first = await connectBacker(server.wsUrl, account)
    const second = openSocket(server.wsUrl)
    second.send(await answerChallenge(await second.next('auth_challenge'), privateKeyToAccount(`0x${'08'.repeat(32)}`)))
    expect(await second.closed).toEqual({ code: 1013, reason: 'overload' })
    await first.end()
  })

  test('error: before authentication the oldest socket of a full network is closed 1013', async () => {
    const server = await start({ limits: { pendingSocketsPerNetwork: 2 } })
    const sessions = [await connectBacker(server.wsUrl, account), await connectBacker(server.wsUrl, account)]
    const sockets = []
    for (let count = 0; count < 3; count += 1) {
      const socket = openSocket(server.wsUrl)
      await socket.next('auth_challenge')
      sockets.push(socket)
    }
    expect(await sockets[0]?.closed).toEqual({ code: 1013, reason: 'overload' })
    await Promise.all([...sessions, ...sockets.slice(1)].map((client) => client.end()))
  })
})

describe('before authentication', () => {
  const attempts: [string, object | string | Buffer][] = [
    ['another message', { type: 'ping' }],
    ['a quote', { type: 'quote', rfqId: testRfq.rfqId, quote }],
    ['text that is not JSON', 'hello'],
    ['a repeated key', `{"type":"auth","address":"${account.address}","timestamp":1,"timestamp":1,"signature":"0x11"}`],
    ['a binary frame', Buffer.from('{"type":"auth"}')],
    ['an unknown key', { type: 'auth', address: account.address, timestamp: 1, signature: '0x', extra: 1 }],
    ['__proto__', '{"type":"auth","__proto__":{"address":"0x"}}'],
    ['a timestamp as text', { type: 'auth', address: account.address, timestamp: '1', signature: '0x' }],
    ['more than 2 KiB', { type: 'auth', address: account.address, timestamp: 1, signature: `0x${'00'.repeat(1_100)}` }],
    ['null', 'null'],
    ['deep nesting', '['.repeat(2_000)],
  ]
  test.each(attempts)('error: %s closes 4400', async (_what, message) => {
    const server = await start()
    const client = openSocket(server.wsUrl)
    await client.next('auth_challenge')
    client.send(message)
    expect(await client.next('auth_failed')).toMatchObject({ code: 'malformed', serverTime: expect.any(Number) })
    expect(await client.closed).toEqual({ code: 4400, reason: 'malformed' })
  })

  test('error: a second message while the first is judged closes 4400', async () => {
    const { service, sessions } = createScriptedService()
    const server = await start({ service })
    const client = openSocket(server.wsUrl)
    const answer = await answerChallenge(await client.next('auth_challenge'), account)
    client.send(answer)
    client.send(answer)
    const { code } = await client.closed
    expect(code).toBe(4400)
    while (sessions.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('messages', () => {
  test('default: ping, decline, quote', async () => {
    const declined: unknown[] = []
    const { service } = createScriptedService({ hub: { decline: (message) => declined.push(message) } })
    const server = await start({ service })
    const backer = await connectBacker(server.wsUrl, account)
    backer.send({ type: 'decline', rfqId: testRfq.rfqId, reason: 'no appetite' })
    backer.send({ type: 'ping', id: 'p' })
    expect(await backer.next('pong')).toEqual({ type: 'pong', id: 'p', serverTime: expect.any(Number) })
    expect(declined).toEqual([{ backer: account.address, rfqId: testRfq.rfqId, reason: 'no appetite' }])
    backer.send({ type: 'quote', id: 'q', rfqId: testRfq.rfqId, quote })
    expect(await backer.next('quote_ack')).toEqual({
      type: 'quote_ack',
      id: 'q',
      rfqId: testRfq.rfqId,
      status: 'accepted',
      hash: `0x${'55'.repeat(32)}`,
      receivedAt: 1_100,
      closesAt: 1_300,
    })
    await backer.end()
  })

  test('error: a third malformed message closes 4400', async () => {
    const server = await start()
    const backer = await connectBacker(server.wsUrl, account)
    backer.send('not json')
    expect(await backer.next('error')).toEqual({
      type: 'error',
      code: 'INVALID_REQUEST',
      message: 'The message is not JSON, or repeats a key.',
    })
    backer.send(Buffer.from([1, 2, 3]))
    expect(await backer.next('error')).toMatchObject({ message: 'Messages must be JSON text frames.' })
    backer.send({ type: 'quote', id: 'q7', rfqId: testRfq.rfqId, quote: { ...quote, salt: '0x12' } })
    expect(await backer.next('error')).toMatchObject({ id: 'q7', message: expect.stringContaining('quote.salt') })
    expect(await backer.closed).toEqual({ code: 4400, reason: 'malformed' })
  })

  test('error: a quote that repeats a key is not judged', async () => {
    const { service } = createScriptedService()
    const submitted: unknown[] = []
    const submit: typeof service.hub.submit = (given) => {
      submitted.push(given)
      return service.hub.submit(given)
    }
    const hub = { ...service.hub, submit }
    const server = await start({ service: { ...service, hub } })
    const backer = await connectBacker(server.wsUrl, account)
    const text = JSON.stringify({ type: 'quote', rfqId: testRfq.rfqId, quote })
    backer.send(text.replace('"notional":', '"notional":"1","notional":'))
    expect(await backer.next('error')).toMatchObject({ message: expect.stringContaining('repeats a key') })
    expect(submitted).toEqual([])
    backer.send(text)
    expect(await backer.next('quote_ack')).toMatchObject({ status: 'accepted' })
    await backer.end()
  })

  const mistakes: [string, object | string, string][] = [
    ['an unknown type', { type: 'withdraw' }, 'type'],
    ['no type', {}, 'type'],
    ['an unknown key', { type: 'ping', extra: 1 }, 'extra'],
    ['__proto__', '{"type":"ping","__proto__":{"id":"x"}}', '__proto__'],
    [
      '__proto__ in the quote',
      `{"type":"quote","rfqId":"${testRfq.rfqId}","quote":{"__proto__":{}}}`,
      'quote.__proto__',
    ],
    ['constructor', { type: 'ping', constructor: 1 }, 'constructor'],
    ['an id that is too long', { type: 'ping', id: 'x'.repeat(65) }, 'id'],
    ['an RFQ id of the wrong length', { type: 'decline', rfqId: 'ff' }, 'rfqId'],
    [
      'a notional as a number',
      { type: 'quote', rfqId: testRfq.rfqId, quote: { ...quote, notional: 1 } },
      'quote.notional',
    ],
    [
      'a notional in hex',
      { type: 'quote', rfqId: testRfq.rfqId, quote: { ...quote, notional: '0x10' } },
      'quote.notional',
    ],
    [
      'a notional above 2^256',
      { type: 'quote', rfqId: testRfq.rfqId, quote: { ...quote, notional: '9'.repeat(78) } },
      'quote.notional',
    ],
    [
      'a wrong checksum',
      { type: 'quote', rfqId: testRfq.rfqId, quote: { ...quote, maker: `0x${'aB'.repeat(20)}` } },
      'quote.maker',
    ],
    ['a second auth', { type: 'auth', address: account.address, timestamp: 1, signature: '0x' }, 'type'],
  ]
  test.each(mistakes)('error: %s is reported with its path and does not close', async (_what, message, path) => {
    const server = await start()
    const backer = await connectBacker(server.wsUrl, account)
    backer.send(message)
    const error = await backer.next('error')
    expect(error.code).toBe('INVALID_REQUEST')
    expect(error.message).toMatch(new RegExp(`(: |; )${path.replaceAll('.', '\\.')} `))
    expect(error.id).toBeUndefined()
    backer.send({ type: 'ping', id: 'still here' })
    expect(await backer.next('pong')).toMatchObject({ id: 'still here' })
    await backer.end()
  })

  test('behavior: a quote may have a traceparent, in any session', async () => {
    const server = await start()
    const backer = await connectBacker(server.wsUrl, account)
    const { rfqId } = testRfq
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    backer.send({ type: 'quote', id: 'traced', rfqId, quote, traceparent })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'traced' })
    backer.send({ type: 'quote', id: 'garbage', rfqId, quote, traceparent: `${traceparent}-` })
    expect(await backer.next('error')).toMatchObject({
      id: 'garbage',
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('traceparent must be a traceparent of W3C Trace Context, version 00'),
    })
    await backer.end()
  })

  test('behavior: the session lists the open RFQs that the backer can still answer', async () => {
    const [answered, open] = ['00', '11'].map((byte) => ({ ...testRfq, rfqId: toPublicRfqId(byte.repeat(16)) }))
    if (!answered || !open) throw new TypeError('There are two RFQs.')
    const join = () => ({
      openRfqs: [answered, open],
      leave: () => {},
      wasSent: () => false,
      traceOf: () => undefined,
    })
    const asked: string[] = []
    const readAnswered = async (backer: string) => {
      asked.push(backer)
      return (rfqId: string) => rfqId === answered.rfqId
    }
    const { service } = createScriptedService({ hub: { join, readAnswered } })
    const backer = await connectBacker((await start({ service })).wsUrl, account)
    expect(backer.session.openRfqs.map(({ rfqId }) => rfqId)).toEqual([open.rfqId])
    expect(asked).toEqual([account.address])
    await backer.end()
  })

  test('behavior: three answers to each RFQ that the server sent cost no message', async () => {
    const rfqIds = Array.from({ length: 20 }, (_, index) => toPublicRfqId(index.toString(16).padStart(32, '0')))
    const join = () => ({
      openRfqs: [],
      leave: () => {},
      wasSent: (rfqId: string) => rfqIds.includes(rfqId as never),
      traceOf: () => undefined,
    })
    const { service } = createScriptedService({ hub: { join } })
    const server = await start({ service, clock: createFakeClock(), limits: { messages: 2 } })
    const backer = await connectBacker(server.wsUrl, account)
    for (const rfqId of rfqIds) {
      for (let answer = 0; answer < 3; answer += 1) backer.send({ type: 'quote', rfqId, quote })
      for (let answer = 0; answer < 3; answer += 1) await backer.next('quote_ack')
    }
    const [first] = rfqIds
    backer.send({ type: 'quote', id: 'paid', rfqId: first, quote })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'paid' })
    backer.send({ type: 'quote', rfqId: first, quote })
    expect(await backer.closed).toEqual({ code: 4429, reason: 'too_many_messages' })
  })

  test('error: too many messages close 4429', async () => {
    const clock = createFakeClock()
    const server = await start({ clock, limits: { messages: 5, messagePeriodMs: 10_000 } })
    const backer = await connectBacker(server.wsUrl, account)
    // The answer to the challenge was the first message.
    for (let index = 0; index < 4; index += 1) backer.send({ type: 'ping', id: `${index}` })
    expect((await backer.next('pong')).id).toBe('0')
    backer.send({ type: 'ping' })
    expect(await backer.closed).toEqual({ code: 4429, reason: 'too_many_messages' })
  })

  test('behavior: quotes are judged concurrently, up to a limit', async () => {
    const judging: ReturnType<typeof createDeferred<SubmissionVerdict>>[] = []
    const { service } = createScriptedService({
      hub: {
        submit() {
          const verdict = createDeferred<SubmissionVerdict>()
          judging.push(verdict)
          return verdict.promise
        },
      },
    })
    const server = await start({ service, limits: { quotesInFlight: 2 } })
    const backer = await connectBacker(server.wsUrl, account)
    for (const id of ['a', 'b', 'c']) backer.send({ type: 'quote', id, rfqId: testRfq.rfqId, quote })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'c', status: 'rejected', code: 'OVERLOADED' })
    judging[1]?.resolve({ ok: false, rejection: { code: 'AUCTION_CLOSED', closedAt: 7 } })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'b', code: 'AUCTION_CLOSED', details: { closedAt: 7 } })
    judging[0]?.resolve({ ok: true, value: { hash: `0x${'55'.repeat(32)}`, receivedAt: 1, closesAt: 2 } })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'a', status: 'accepted' })
    backer.send({ type: 'quote', id: 'd', rfqId: testRfq.rfqId, quote })
    while (judging.length < 3) await new Promise((resolve) => setImmediate(resolve))
    judging[2]?.resolve({ ok: false, rejection: { code: 'ALREADY_QUOTED', hash: null } })
    expect(await backer.next('quote_ack')).toMatchObject({ id: 'd', code: 'ALREADY_QUOTED' })
    await backer.end()
  })

  test('error: a failure of the hub is answered without its text, and logged', async () => {
    const failures: Error[] = [new StorageUnavailableError('disk full at /secret/path'), new TypeError('secret detail')]
    const { service } = createScriptedService({
      hub: {
        submit: () => {
          throw failures.shift()
        },
        decline: () => {
          throw new RangeError('secret decline')
        },
      },
    })
    const server = await start({ service })
    const backer = await connectBacker(server.wsUrl, account)
    backer.send({ type: 'quote', id: '1', rfqId: testRfq.rfqId, quote })
    backer.send({ type: 'quote', id: '2', rfqId: testRfq.rfqId, quote })
    backer.send({ type: 'decline', rfqId: testRfq.rfqId })
    const answers = [await backer.next('quote_ack'), await backer.next('quote_ack')]
    expect(answers).toMatchObject([
      { id: '1', status: 'rejected', code: 'STORAGE_UNAVAILABLE' },
      { id: '2', status: 'rejected', code: 'INTERNAL' },
    ])
    expect(JSON.stringify(answers)).not.toContain('secret')
    await backer.end()
    expect(server.logs.filter(({ level }) => level === 50)).toMatchObject([
      { err: { message: 'secret detail' } },
      { err: { message: 'secret decline' } },
    ])
  })

  test('error: a decline that fails is answered with INTERNAL', async () => {
    const { service } = createScriptedService({
      hub: {
        decline: () => {
          throw new RangeError('secret')
        },
      },
    })
    const server = await start({ service })
    const backer = await connectBacker(server.wsUrl, account)
    backer.send({ type: 'decline', rfqId: testRfq.rfqId })
    expect(await backer.next('error')).toEqual({
      type: 'error',
      code: 'INTERNAL',
      message: 'Something went wrong on our side.',
    })
    await backer.end()
  })

  test('error: a hub that cannot add a session closes 1011', async () => {
    const { service } = createScriptedService({
      hub: {
        join: () => {
          throw new RangeError('secret')
        },
      },
    })
    const server = await start({ service })
    const client = openSocket(server.wsUrl)
    client.send(await answerChallenge(await client.next('auth_challenge'), account))
    expect(await client.next('error')).toMatchObject({ code: 'INTERNAL' })
    expect((await client.closed).code).toBe(1011)
  })
})

describe('lines', () => {
  test('behavior: a backer that does not answer a ping is disconnected', async () => {
    const clock = createFakeClock()
    const { service, sessions } = createScriptedService()
    const server = await start({ service, clock })
    const backer = await connectBacker(server.wsUrl, account)
    const mute = await connectBacker(server.wsUrl, account, { autoPong: false })
    expect(sessions.size).toBe(2)
    for (let beat = 0; beat < 3; beat += 1) {
      const pinged = once(backer.socket, 'ping')
      clock.advance(30_000)
      await pinged
      // The client sent its pong before this message, so the server has received the pong by the time it answers.
      backer.send({ type: 'ping' })
      await backer.next('pong')
      if (beat === 1) expect((await mute.closed).code).toBe(1006)
    }
    expect(backer.socket.readyState).toBe(backer.socket.OPEN)
    expect(sessions.size).toBe(1)
    await backer.end()
  })

  test('error: a backer that does not read is disconnected', async () => {
    const { service, sessions } = createScriptedService()
    const server = await start({ service, limits: { unreadBytes: 65_536, closeGraceMs: 100 } })
    const backer = await connectBacker(server.wsUrl, account)
    backer.socket.pause()
    const [session] = sessions
    const filler = JSON.stringify({ type: 'pong', serverTime: 1, id: 'x'.repeat(1_000) })
    for (let sent = 0; sessions.size > 0; sent += 1_000) {
      for (let burst = 0; burst < 1_000; burst += 1) session?.send(filler)
      expect(sent).toBeLessThan(200_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(server.logs).toContainEqual(expect.objectContaining({ msg: 'socket closed' }))
    backer.socket.terminate()
    await alive(server)
  })
})

describe('frames', () => {
  const frames: [string, Buffer, number | null][] = [
    ['a reserved opcode', frame(0x3, 'x'), 1002],
    ['no mask', frame(0x1, 'x', { masked: false }), 1002],
    ['a continuation of nothing', frame(0x0, 'x'), 1002],
    ['a fragmented ping', frame(0x9, 'x', { fin: false }), 1002],
    ['a control frame that is too long', frame(0x9, 'x'.repeat(126)), 1002],
    ['text that is not UTF-8', frame(0x1, Buffer.from([0xc3, 0x28])), 1007],
    ['a close code that does not exist', frame(0x8, Buffer.from([0x00, 0x01])), 1002],
    ['a length of 2^63', Buffer.from('81ff8000000000000000', 'hex'), 1009],
    ['a length above the limit', Buffer.from('81ff000000000000400100000000', 'hex'), 1009],
    ['17 KiB', frame(0x1, 'x'.repeat(17 * 1_024)), 1009],
    [
      'fragments that add up to more',
      Buffer.concat([frame(0x1, 'x'.repeat(10_000), { fin: false }), frame(0x0, 'x'.repeat(10_000))]),
      1009,
    ],
  ]
  test.each(frames)('error: %s ends its own connection only', async (_what, bytes, code) => {
    const server = await start()
    const bystander = await connectBacker(server.wsUrl, account)
    const raw = await openRawSocket(server.port)
    raw.write(bytes)
    const closed = await raw.closeCode
    expect(closed).toBe(code)
    bystander.send({ type: 'ping', id: 'still here' })
    expect(await bystander.next('pong')).toMatchObject({ id: 'still here' })
    await bystander.end()
  })

  test('error: an oversize message of an authenticated backer closes 1009', async () => {
    const server = await start()
    const backer = await connectBacker(server.wsUrl, account)
    backer.send(`{"type":"ping","id":"${'x'.repeat(20_000)}"}`)
    expect((await backer.closed).code).toBe(1009)
    await alive(server)
  })

  test('behavior: a connection reset at any point affects nothing else', async () => {
    const server = await start()
    for (const bytes of [Buffer.alloc(0), Buffer.from([0x81]), frame(0x1, 'x', { fin: false })]) {
      const raw = await openRawSocket(server.port)
      raw.write(bytes)
      raw.destroy()
    }
    await alive(server)
  })
})
