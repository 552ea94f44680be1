// Backer channel tests, in lifecycle order: connecting, trust, RFQs, quotes, reconnecting, closing. One file, because
// the tests share the recorder and the fake service.

import {
  type AuctionResultMessage,
  type AuthenticatedMessage,
  type QuoteAckMessage,
  type QuoteStatusMessage,
  type RFQBroadcast,
  toPublicRfqId,
} from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, describe, expect, test } from '@jest/globals'
import { WebSocket as WsWebSocket } from 'ws'
import { startBackerService } from '../../test/backerService.ts'
import {
  key,
  maker,
  quote,
  quoteHash,
  quoteMarket,
  rfq,
  publicRfqId as rfqId,
  signerConfig,
  wireQuote,
  wireRfq,
} from '../../test/samples.ts'
import { marketRemedy } from '../compareMarkets.ts'
import { BackerSigner } from './backerSigner.ts'
import type { RFQWebSocketClose } from './reconnectingSocket.ts'
import { RFQWebSocketClient, type RFQWebSocketEvents } from './rfqWebSocketClient.ts'
import type { RFQWebSocketConfig } from './rfqWebSocketConfig.ts'
import type { RFQWebSocketResumed } from './statusDelivery.ts'
import type { WebSocketConstructor } from './webSocketLike.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Told = { event: string; value: unknown }

/** Records a client's events and lets a test wait for them. */
function createRecorder(events: RFQWebSocketEvents = {}) {
  const told: Told[] = []
  const waiting: { event: string; resolve(value: unknown): void }[] = []
  let seen = 0
  const tell =
    <A extends unknown[]>(event: string, also?: (...args: A) => unknown) =>
    (...args: A) => {
      told.push({ event, value: args[0] })
      const index = waiting.findIndex((waiter) => waiter.event === event)
      if (index !== -1) waiting.splice(index, 1)[0]?.resolve(args[0])
      return also?.(...args)
    }
  return {
    told,
    names: () => told.map(({ event }) => event),
    /** Waits for the next event of this type. */
    next: <T>(event: string) => new Promise<T>((resolve) => waiting.push({ event, resolve: resolve as never })),
    /** Returns the events since the last call. */
    fresh() {
      const names = told.slice(seen).map(({ event }) => event)
      seen = told.length
      return names
    },
    events: {
      onOpen: tell('onOpen', events.onOpen),
      onClose: tell<[RFQWebSocketClose]>('onClose', events.onClose),
      onError: tell<[Error]>('onError', events.onError),
      onAuthenticated: tell<[AuthenticatedMessage]>('onAuthenticated', events.onAuthenticated),
      onAuthFailed: tell<[string]>('onAuthFailed', events.onAuthFailed as never),
      onRFQ: tell<[RFQBroadcast]>('onRFQ', events.onRFQ),
      onQuoteAck: tell<[QuoteAckMessage]>('onQuoteAck', events.onQuoteAck),
      onAuctionResult: tell<[AuctionResultMessage]>('onAuctionResult', events.onAuctionResult),
      onQuoteStatus: tell<[QuoteStatusMessage]>('onQuoteStatus', events.onQuoteStatus),
      onResumed: tell<[RFQWebSocketResumed]>('onResumed', events.onResumed),
    },
  }
}

async function start(
  serviceOptions: Parameters<typeof startBackerService>[0] = {},
  config: Partial<RFQWebSocketConfig> = {},
  events: RFQWebSocketEvents = {},
) {
  const service = await startBackerService(serviceOptions)
  closers.push(service.close)
  const clock = createFakeClock(1_767_225_600_000)
  const signer = new BackerSigner(signerConfig, { clock })
  signer.setPrivateKey(key)
  const recorder = createRecorder(events)
  const client = new RFQWebSocketClient(
    { url: service.url, signer, chainId: 8453, quoteMarketAddress: quoteMarket, clock, random: () => 0.5, ...config },
    recorder.events,
  )
  closers.push(() => client.disconnect())
  return { service, clock, signer, recorder, client }
}

/**
 * Returns a connected client and service. The client has already made the deliveries that it deferred to the next event
 * loop iteration.
 */
async function connected(...args: Parameters<typeof start>) {
  const parts = await start(...args)
  const [socket] = await Promise.all([parts.service.letIn(), parts.client.connect()])
  parts.clock.advance(0)
  parts.recorder.fresh()
  return { ...parts, socket }
}

/** Returns a connected client and service, and a quote that the service has just received. */
async function submitted(config: Partial<RFQWebSocketConfig> = {}, options: { signal?: AbortSignal } = {}) {
  const parts = await connected({}, config)
  const submission = parts.client.submitSerializedQuote(rfqId, wireQuote, options)
  submission.catch(() => {})
  const { id } = await parts.socket.next<{ id: string }>('quote')
  return { ...parts, submission, id }
}

/** Closes the connection on the service's side and waits until the client detects the close. */
async function lose({ recorder, socket }: Awaited<ReturnType<typeof connected>>, code = 1012, reason = 'restart') {
  const closed = recorder.next<RFQWebSocketClose>('onClose')
  socket.socket.close(code, reason)
  const close = await closed
  await turn()
  return close
}

const unknown = { code: 'OUTCOME_UNKNOWN', message: 'Not known yet.', details: { hash: quoteHash } }

/** Tells the client that its quote's outcome is unknown, and waits until it has read the message. */
async function sayUnknown({ recorder, socket }: Awaited<ReturnType<typeof connected>>, id: string) {
  const told = recorder.next('onQuoteAck')
  socket.send({ type: 'quote_ack', id, rfqId, status: 'rejected', ...unknown })
  await told
  await turn()
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const accepted = { type: 'quote_ack', rfqId, status: 'accepted', hash: quoteHash, receivedAt: 1, closesAt: 2 }

describe('connecting', () => {
  test('default: challenge, answer, authenticated', async () => {
    const { service, client, recorder } = await start()
    expect([client.isConnected(), client.isAuth()]).toEqual([false, false])
    const [socket] = await Promise.all([service.letIn(), client.connect()])
    expect([client.isConnected(), client.isAuth()]).toEqual([true, true])
    expect(recorder.names()).toEqual(['onOpen', 'onAuthenticated'])
    expect(socket.received).toEqual([
      { type: 'auth', address: maker, timestamp: 1_767_225_600, signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) },
    ])
    await client.connect()
    expect(service.sockets).toHaveLength(1)
  })

  test('behavior: works with the WebSocket class from ws', async () => {
    const { client } = await connected({}, { WebSocket: WsWebSocket satisfies WebSocketConstructor })
    expect(client.isAuth()).toBe(true)
  })

  test('behavior: two callers share one connection', async () => {
    const { service, client } = await start()
    await Promise.all([service.letIn(), client.connect(), client.connect()])
    expect(service.sockets).toHaveLength(1)
  })

  test("behavior: signs the service's time, so two minutes of clock skew do not matter", async () => {
    const { socket } = await connected({ serverTime: () => 1_767_225_600_000 - 120_000 })
    expect(socket.received[0]).toMatchObject({ timestamp: 1_767_225_480 })
  })

  test('behavior: accepts another audience if the option names it', async () => {
    const audience = 'wss://rfq.example.com/ws/rfq'
    const { client } = await connected({ audience }, { audience })
    expect(client.isAuth()).toBe(true)
  })

  test.each([
    ['another audience', { audience: 'wss://rfq.example.com/ws/rfq' }, {}, 'audience_mismatch'],
    [
      'the own audience, where another is expected',
      {},
      { audience: 'wss://rfq.example.com/ws/rfq' },
      'audience_mismatch',
    ],
    ['another chain', { challenge: { chainId: 1 } }, {}, 'audience_mismatch'],
    ['another quote market', { challenge: { quoteMarket: maker } }, {}, 'audience_mismatch'],
    ['a text to sign', { challenge: { challenge: 'Please sign in' } }, {}, 'invalid_challenge'],
    ['a quote to sign', { challenge: { challenge: quoteHash } }, {}, 'invalid_challenge'],
    ['a clock an hour off', { serverTime: () => 1_767_229_200_000 }, {}, 'timestamp_out_of_window'],
  ])('error: %s: nothing is signed, and no second connection', async (_what, serviceOptions, config, reason) => {
    const { service, client, recorder, clock } = await start(serviceOptions, config)
    const [socket, error] = await Promise.all([service.accept(), client.connect().catch((thrown: unknown) => thrown)])
    expect(error).toMatchObject({ name: 'AuthenticationError', code: 'AUTH_FAILED', reason })
    expect(recorder.names()).toEqual(['onOpen', 'onAuthFailed', 'onClose'])
    expect(recorder.told[1]?.value).toBe(reason)
    expect(socket.received).toEqual([])
    expect(clock.pending()).toBe(0)
    expect(service.sockets).toHaveLength(1)
  })

  test('error: another audience: the error names both and the remedy', async () => {
    const audience = 'wss://rfq.example.com/ws/rfq'
    const { service, client } = await start({ audience })
    const [, error] = await Promise.all([service.accept(), client.connect().catch((thrown: unknown) => thrown)])
    expect(error).toMatchObject({
      reason: 'audience_mismatch',
      shortMessage: `The challenge is for ${audience}, not for ${service.url}.`,
      details: `Nothing was signed. If that is the public address of the service that you want, pass audience: '${audience}'. If it is wrong, the operator must set PUBLIC_WS_URL.`,
    })
  })

  test('error: another chain or market: the error shows both', async () => {
    for (const [challenge, market] of [
      [{ chainId: 1 }, `${quoteMarket} on chain 1`],
      [{ quoteMarket: maker }, `${maker} on chain 8453`],
    ] as const) {
      const { service, client } = await start({ challenge })
      const [, error] = await Promise.all([service.accept(), client.connect().catch((thrown: unknown) => thrown)])
      expect(error).toMatchObject({
        shortMessage: `The service uses the quote market ${market}, but this client is set to ${quoteMarket} on chain 8453.`,
        details: `Nothing was signed. ${marketRemedy}`,
      })
    }
  })

  test.each(['ws://rfq.example.com/ws/rfq', 'ws://10.0.0.1:3005/ws/rfq', 'ws://127.0.0.1.example.com/ws/rfq'])(
    'error: %s is not even dialled',
    async (url) => {
      const dialled: string[] = []
      class Spy extends WsWebSocket {
        constructor(to: string) {
          dialled.push(to)
          super(to)
        }
      }
      const { client, recorder } = await start({}, { url, WebSocket: Spy })
      await expect(client.connect()).rejects.toMatchObject({ reason: 'audience_mismatch' })
      expect(recorder.told).toEqual([{ event: 'onAuthFailed', value: 'audience_mismatch' }])
      expect(dialled).toEqual([])
    },
  )

  test('behavior: a second challenge on the same connection is not signed', async () => {
    const { service, client, recorder } = await start()
    const connecting = client.connect()
    const socket = await service.accept()
    await socket.next('auth')
    const again = { type: 'auth_challenge', chainId: 8453, quoteMarket, serverTime: 1_767_225_600_000, expiresAt: 2e12 }
    const told = recorder.next<Error>('onError')
    socket.send({ ...again, challenge: `firmquote-auth|1|${service.url}|${'9'.repeat(64)}` })
    expect((await told).message).toContain('second challenge')
    socket.send({ type: 'authenticated', address: maker, sessionId: 's', expiresAt: 1, openRfqs: [] })
    await connecting
    expect(socket.received).toHaveLength(1)
  })

  test('behavior: ignores `authenticated` if nothing was signed', async () => {
    const { service, client, clock } = await start({ challenge: { type: 'hello' } })
    const connecting = client.connect()
    connecting.catch(() => {})
    const socket = await service.accept()
    socket.send({ type: 'authenticated', address: maker, sessionId: 's', expiresAt: 1, openRfqs: [wireRfq] })
    socket.send({ type: 'rfq', ...wireRfq })
    while (!client.isConnected()) await turn()
    await turn()
    expect(client.isAuth()).toBe(false)
    clock.advance(15_000)
    await expect(connecting).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: 'no', closeCode: 1006 })
  })

  test('error: no signer', async () => {
    const { client } = await start({}, { signer: new BackerSigner(signerConfig) })
    await expect(client.connect()).rejects.toMatchObject({ code: 'SIGNER_MISSING' })
  })

  test('error: fails on the first connection if nothing is listening', async () => {
    const { service, client, recorder, clock } = await start()
    await service.close()
    await expect(client.connect()).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: 'no' })
    expect(recorder.names()).toEqual(['onError', 'onClose'])
    expect(recorder.told[1]?.value).toMatchObject({ retryInMs: null })
    expect(clock.pending()).toBe(0)
  })

  test('behavior: with retry, tries until authenticated', async () => {
    const { service, client, recorder, clock } = await start()
    const connecting = client.connect({ retry: true })
    for (const code of [1013, 4408]) {
      const closed = recorder.next<RFQWebSocketClose>('onClose')
      const socket = await service.accept()
      socket.socket.close(code, 'not yet')
      const { retryInMs } = await closed
      expect(retryInMs).toBeGreaterThan(0)
      clock.advance(retryInMs ?? 0)
    }
    await Promise.all([service.letIn(), connecting])
    expect(client.isAuth()).toBe(true)
  })

  test('error: aborted', async () => {
    const { service, client, clock } = await start()
    await expect(client.connect({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED', sent: 'no' })
    const controller = new AbortController()
    const connecting = client.connect({ signal: controller.signal })
    connecting.catch(() => {})
    const socket = await service.accept()
    const gone = new Promise((resolve) => socket.socket.once('close', resolve))
    controller.abort('enough')
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' })
    expect(clock.pending()).toBe(0)
    await gone
  })

  test('error: no WebSocket in this runtime', () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket')
    Reflect.deleteProperty(globalThis, 'WebSocket')
    try {
      const signer = new BackerSigner(signerConfig)
      const config = {
        url: 'wss://example.com/ws/rfq',
        signer,
        chainId: 8453,
        quoteMarketAddress: quoteMarket,
      } as const
      expect(() => new RFQWebSocketClient(config)).toThrow(
        expect.objectContaining({ code: 'WEBSOCKET_MISSING', message: expect.stringContaining("from 'ws'") }),
      )
    } finally {
      if (own) Object.defineProperty(globalThis, 'WebSocket', own)
    }
  })

  test.each([
    [{ url: 'http://localhost/ws/rfq' }, 'url'],
    [{ url: 'wss://a:b@example.com/ws/rfq' }, 'url'],
    [{ url: '' }, 'url'],
    [{ audience: 'rfq.example.com' }, 'audience'],
    [{ chainId: -1 }, 'chainId'],
    [{ quoteMarketAddress: '0x' }, 'quoteMarketAddress'],
  ])('error: the configuration %j', async (config, path) => {
    await expect(start({}, config as never)).rejects.toMatchObject({ code: 'INVALID_INPUT', path })
  })
})

describe('being refused', () => {
  test.each([
    [4400, 'malformed'],
    [4401, 'bad_signature'],
    [4403, 'not_allowed'],
  ])('error: %d stops for good', async (code, reason) => {
    const { service, client, recorder, clock } = await start()
    const connecting = client.connect({ retry: true })
    connecting.catch(() => {})
    const socket = await service.accept()
    await socket.next('auth')
    socket.send({ type: 'auth_failed', code: reason, message: 'No.', serverTime: 1 })
    socket.socket.close(code, reason)
    await expect(connecting).rejects.toMatchObject({ code: 'AUTH_FAILED', reason, shortMessage: 'No.' })
    expect(recorder.names()).toEqual(['onOpen', 'onAuthFailed', 'onClose'])
    expect(recorder.told.slice(1).map(({ value }) => value)).toEqual([reason, { code, reason, retryInMs: null }])
    expect(clock.pending()).toBe(0)
    expect(service.sockets).toHaveLength(1)
  })

  test('error: 4401 without a reason', async () => {
    const { service, client, recorder } = await start()
    const connecting = client.connect()
    connecting.catch(() => {})
    const socket = await service.accept()
    socket.socket.close(4401, 'challenge_expired')
    await expect(connecting).rejects.toMatchObject({ reason: 'challenge_expired' })
    expect(recorder.names()).toContain('onAuthFailed')
  })

  test('behavior: a ban ends the session, and the client reconnects a minute after its end', async () => {
    const { service, recorder, clock, socket } = await connected()
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    const reason = `banned until ${new Date(clock.now() + 3_600_000).toISOString()}`
    socket.send({ type: 'auth_failed', code: 'banned', message: 'Banned for an hour.', serverTime: 1 })
    socket.socket.close(4423, reason)
    expect(await closed).toEqual({ code: 4423, reason, retryInMs: 3_690_000 })
    expect(recorder.told.filter(({ event }) => event === 'onAuthFailed').map(({ value }) => value)).toEqual(['banned'])
    clock.advance(3_689_999)
    await turn()
    expect(service.sockets).toHaveLength(1)
    clock.advance(1)
    await service.accept()
    expect(service.sockets).toHaveLength(2)
  })

  test('behavior: a ban that is over by this clock is not followed by many attempts', async () => {
    const { recorder, clock, socket } = await connected()
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    socket.socket.close(4423, `banned until ${new Date(clock.now() - 5_000).toISOString()}`)
    expect((await closed).retryInMs).toBe(90_000)
    expect(recorder.names()).toContain('onAuthFailed')
  })

  test('error: a ban without an end is final', async () => {
    const { recorder, clock, socket } = await connected()
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    socket.socket.close(4423, 'banned')
    expect(await closed).toEqual({ code: 4423, reason: 'banned', retryInMs: null })
    expect(recorder.names()).toContain('onAuthFailed')
    expect(clock.pending()).toBe(0)
  })

  test('behavior: waits a minute after 4429, then answers a new challenge', async () => {
    const { service, recorder, clock, socket } = await connected()
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    socket.socket.close(4429, 'too_many_messages')
    expect(await closed).toEqual({ code: 4429, reason: 'too_many_messages', retryInMs: 90_000 })
    clock.advance(59_999)
    await turn()
    expect(service.sockets).toHaveLength(1)
    clock.advance(30_001)
    await service.letIn()
    expect(service.sockets).toHaveLength(2)
  })
})

describe('RFQs', () => {
  test('default: an RFQ and its result', async () => {
    const { recorder, socket } = await connected()
    const shown = recorder.next('onRFQ')
    socket.send({ type: 'rfq', ...wireRfq, maxVrtAmount: '9', taker: maker })
    expect(await shown).toEqual({ ...rfq, maxVrtAmount: 9n, taker: maker })
    const closed = recorder.next('onAuctionResult')
    const result = {
      type: 'auction_result',
      rfqId,
      closedAt: 3,
      quoteCount: 2,
      own: { hash: quoteHash },
      outcome: 'best',
    }
    socket.send(result)
    expect(await closed).toEqual(result)
  })

  test('behavior: delivers open RFQs once the caller of connect can answer', async () => {
    const { service, client, recorder, clock } = await start()
    await Promise.all([service.letIn([wireRfq]), client.connect()])
    expect(recorder.names()).toEqual(['onOpen', 'onAuthenticated'])
    clock.advance(0)
    expect(recorder.told.at(-1)).toEqual({ event: 'onRFQ', value: rfq })
  })

  test('behavior: delivers an RFQ once per connection, even if it is announced twice', async () => {
    const { service, client, recorder, clock } = await start()
    const [socket] = await Promise.all([service.letIn([wireRfq]), client.connect()])
    const other = 'cd'.repeat(16)
    const seen = recorder.next('onAuctionResult')
    socket.send({ type: 'rfq', ...wireRfq })
    socket.send({ type: 'rfq', ...wireRfq, rfqId: other })
    socket.send({ type: 'auction_result', rfqId: 'ef'.repeat(16), closedAt: 3, quoteCount: 0 })
    await seen
    clock.advance(0)
    const shown = recorder.told
      .filter(({ event }) => event === 'onRFQ')
      .map(({ value }) => (value as RFQBroadcast).rfqId)
    expect(shown).toEqual([rfqId, other])
  })

  test('behavior: redelivers open RFQs after a reconnect, except answered and declined ones', async () => {
    const { service, client, recorder, clock, socket } = await connected()
    const ids = ['1', '2', '3', '4'].map((digit) => toPublicRfqId(digit.repeat(32)))
    const [answered = rfqId, declined = rfqId, ignored = rfqId] = ids
    const all = recorder.next('onAuctionResult')
    for (const id of ids.slice(0, 3)) socket.send({ type: 'rfq', ...wireRfq, rfqId: id })
    socket.send({ type: 'auction_result', rfqId: 'ef'.repeat(16), closedAt: 3, quoteCount: 0 })
    await all
    const submission = client.submitSerializedQuote(answered, wireQuote)
    submission.catch(() => {})
    expect(client.decline(declined, 'no appetite')).toBe(true)
    expect(await socket.next('decline')).toEqual({ type: 'decline', rfqId: declined, reason: 'no appetite' })
    recorder.fresh()

    const closed = recorder.next<RFQWebSocketClose>('onClose')
    const authenticated = recorder.next('onAuthenticated')
    socket.socket.terminate()
    clock.advance((await closed).retryInMs ?? 0)
    await service.letIn(ids.map((id) => ({ ...wireRfq, rfqId: id })))
    await authenticated
    clock.advance(0)
    const shown = recorder.told
      .filter(({ event }) => event === 'onRFQ')
      .map(({ value }) => (value as RFQBroadcast).rfqId)
    expect(shown).toEqual([answered, declined, ignored, ignored, ids[3]])
  })

  test('behavior: reports a callback that throws or rejects, and continues', async () => {
    const { client, recorder, socket } = await connected(
      {},
      {},
      {
        onRFQ: ({ rfqId: id }) => {
          if (id === rfqId) throw new TypeError('sync')
          return Promise.reject(new TypeError('async'))
        },
        onError: () => {
          throw new TypeError('even here')
        },
      },
    )
    for (const [id, message] of [
      [rfqId, 'sync'],
      ['cd'.repeat(16), 'async'],
    ] as const) {
      const reported = recorder.next<Error>('onError')
      socket.send({ type: 'rfq', ...wireRfq, rfqId: id })
      expect((await reported).message).toBe(message)
    }
    expect(client.isAuth()).toBe(true)
  })

  test.each([
    ['not JSON', 'hello', 1],
    ['a known type of another shape', '{"type":"rfq","rfqId":"x"}', 1],
    ['an unknown type', '{"type":"news","any":1}', 0],
    ['a type of Object.prototype', '{"type":"constructor"}', 0],
    ['no type', '{}', 0],
    ['null', 'null', 1],
    ['__proto__', '{"type":"pong","__proto__":{"x":1},"serverTime":1}', 0],
  ])('behavior: a message that is %s', async (_what, text, errors) => {
    const { client, recorder, socket } = await connected()
    const seen = recorder.next('onAuctionResult')
    socket.send(text)
    socket.send({ type: 'auction_result', rfqId, closedAt: 3, quoteCount: 0 })
    await seen
    expect(recorder.fresh()).toEqual([...Array(errors).fill('onError'), 'onAuctionResult'])
    expect(client.isAuth()).toBe(true)
  })
})

describe('statuses', () => {
  const statusOf = (seq: number) => ({
    ...{ type: 'quote_status', seq, hash: quoteHash, status: 'filled', final: false, block: 7 },
    ...{ transactionHash: quoteHash, taker: maker, notional: '1000', cost: '10', positionId: '3' },
  })

  async function begun(config: Partial<RFQWebSocketConfig> = {}, statusSeq?: number) {
    const parts = await start({}, config)
    const more = statusSeq === undefined ? {} : { statusSeq }
    const [socket] = await Promise.all([parts.service.letIn([], more), parts.client.connect()])
    const seen = () => parts.recorder.told.flatMap(({ event, value }) => (event === 'onQuoteStatus' ? [value] : []))
    /** Returns the client's resume request once it has read all messages. */
    const settled = async () => {
      const pong = parts.client.ping()
      const { id } = await socket.next<{ id: string }>('ping')
      socket.send({ type: 'pong', id, serverTime: 1 })
      await pong
      return socket.received.flatMap((message) => (message['type'] === 'resume' ? [message['seq']] : []))
    }
    return { ...parts, socket, seen, settled }
  }

  test('default: live updates with their facts', async () => {
    const { socket, seen, settled } = await begun({}, 4)
    socket.send(statusOf(5))
    socket.send(statusOf(5))
    expect(await settled()).toEqual([])
    expect(seen()).toEqual([{ ...statusOf(5), notional: 1_000n, cost: 10n, positionId: 3n }])
  })

  test('behavior: replays updates missed while disconnected', async () => {
    const { service, clock, recorder, socket, seen } = await begun({}, 0)
    socket.send(statusOf(1))
    await recorder.next('onQuoteStatus')
    socket.socket.close(1012)
    await recorder.next('onClose')
    clock.advance(30_000)
    const second = await service.letIn([], { statusSeq: 3 })
    expect(await second.next('resume')).toEqual({ type: 'resume', id: 'resume', seq: 1 })
    const resumed = recorder.next('onResumed')
    for (const seq of [1, 2, 3]) second.send(statusOf(seq))
    second.send({ type: 'resumed', id: 'resume', seq: 3, oldest: 1 })
    expect(await resumed).toEqual({ seq: 3, complete: true })
    expect(seen().map((status) => (status as QuoteStatusMessage).seq)).toEqual([1, 2, 3])
  })

  test('behavior: resumes from a stored seq, and asks again if the service fails to read', async () => {
    const { clock, socket, recorder } = await begun({ resumeFrom: 2 }, 3)
    expect(await socket.next('resume')).toMatchObject({ seq: 2 })
    const failed = recorder.next('onError')
    socket.send({ type: 'error', id: 'resume', code: 'STORAGE_UNAVAILABLE', message: 'Later.' })
    expect(await failed).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    clock.advance(1_000)
    expect(await socket.next('resume')).toMatchObject({ seq: 2 })
  })

  test('behavior: does not resume without a callback or on an older service', async () => {
    const older = await begun({ resumeFrom: 0 })
    expect(await older.settled()).toEqual([])
    const service = await startBackerService()
    closers.push(service.close)
    const { signer, clock } = older
    const config = { signer, clock, chainId: 8453, quoteMarketAddress: quoteMarket, resumeFrom: 0 } as const
    const client = new RFQWebSocketClient({ ...config, url: service.url })
    closers.push(() => client.disconnect())
    const [socket] = await Promise.all([service.letIn([], { statusSeq: 9 }), client.connect()])
    socket.send(statusOf(10))
    const pong = client.ping()
    const { id } = await socket.next<{ id: string }>('ping')
    socket.send({ type: 'pong', id, serverTime: 1 })
    await pong
    expect(socket.received.map(({ type }) => type)).toEqual(['auth', 'ping'])
  })

  test.each([-1, 0.5, '1', null])('error: resumeFrom %j', async (resumeFrom) => {
    const creating = start({}, { resumeFrom: resumeFrom as number })
    await expect(creating).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'resumeFrom' })
  })
})

describe('submitting', () => {
  test('default: signs, sends, and returns the acknowledgement with its id', async () => {
    const { client, recorder, socket } = await connected()
    const submission = client.submitQuote(rfqId, quote)
    const message = await socket.next<{ id: string }>('quote')
    expect(message).toEqual({ type: 'quote', id: expect.any(String), rfqId, quote: wireQuote })
    socket.send({ ...accepted, id: message.id })
    expect(await submission).toEqual({ ...accepted, id: message.id })
    expect(recorder.names()).toContain('onQuoteAck')
  })

  test('behavior: two submissions acknowledged in reverse order; a rejection is a value', async () => {
    const { client, socket } = await connected()
    const first = client.submitSerializedQuote(rfqId, wireQuote)
    const second = client.submitSerializedQuote(toPublicRfqId('cd'.repeat(16)), wireQuote)
    const one = await socket.next<{ id: string }>('quote')
    const two = await socket.next<{ id: string; rfqId: string }>('quote')
    const facts = { code: 'ALREADY_QUOTED', message: 'You have.', details: { hash: quoteHash } }
    socket.send({ type: 'quote_ack', id: two.id, rfqId: two.rfqId, status: 'rejected', ...facts })
    expect(await second).toMatchObject({ status: 'rejected', ...facts })
    socket.send({ ...accepted, id: one.id })
    expect(await first).toMatchObject({ status: 'accepted' })
  })

  test('behavior: reports an acknowledgement that no call is waiting for', async () => {
    const { recorder, socket } = await connected()
    const told = recorder.next('onQuoteAck')
    socket.send(accepted)
    expect(await told).toEqual(accepted)
  })

  test('error: the service fails to decode the message', async () => {
    const { socket, submission, id } = await submitted()
    socket.send({ type: 'error', id, code: 'INVALID_REQUEST', message: 'quote.salt must be 32 bytes' })
    await expect(submission).rejects.toMatchObject({ name: 'ServiceError', code: 'INVALID_REQUEST' })
  })

  test('behavior: passes an error for an unknown message to onError', async () => {
    const { recorder, socket } = await connected()
    const told = recorder.next('onError')
    socket.send({ type: 'error', code: 'RATE_LIMITED', message: 'Slow down.' })
    expect(await told).toMatchObject({ name: 'ServiceError', code: 'RATE_LIMITED' })
  })

  test('error: not sent because there is no connection', async () => {
    const { client } = await start()
    for (const call of [
      client.submitQuote(rfqId, quote),
      client.submitSerializedQuote(rfqId, wireQuote),
      client.ping(),
    ]) {
      await expect(call).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' })
    }
    expect(client.decline(rfqId)).toBe(false)
  })

  test('error: not sent because the connection breaks while a wallet signs', async () => {
    const { client, signer, socket, recorder } = await connected()
    const closed = recorder.next('onClose')
    const { account, release } = slowAccount()
    signer.setAccount(account, {} as never)
    const submission = client.submitQuote(rfqId, quote)
    submission.catch(() => {})
    socket.socket.terminate()
    await closed
    release()
    await expect(submission).rejects.toMatchObject({ name: 'ConnectionError', sent: 'no' })
  })

  /** Closes the connection and waits for the client to reconnect. */
  async function reconnect(parts: Awaited<ReturnType<typeof connected>>) {
    parts.clock.advance((await lose(parts)).retryInMs ?? 0)
    return parts.service.letIn()
  }

  test('behavior: gets an acknowledgement lost with the connection over the next one', async () => {
    const parts = await connected()
    const submission = parts.client.submitQuote(rfqId, quote)
    const first = await parts.socket.next<{ id: string }>('quote')
    const second = await (await reconnect(parts)).next<{ id: string }>('quote')
    expect({ ...second, id: '' }).toEqual({ ...first, id: '' })
    expect(second.id).not.toBe(first.id)
    parts.service.sockets[1]?.send({ ...accepted, id: second.id })
    expect(await submission).toMatchObject({ status: 'accepted', receivedAt: accepted.receivedAt })
    expect(parts.service.sockets.map(({ received }) => received.filter(({ type }) => type === 'quote').length)).toEqual(
      [1, 1],
    )
  })

  test('behavior: resends the same quote while the outcome is unknown', async () => {
    const parts = await connected()
    const { client, clock, socket } = parts
    const submission = client.submitQuote(rfqId, quote)
    const sent = []
    for (const wait of [150, 300, 600]) {
      const { id, ...rest } = await socket.next<{ id: string; quote: object }>('quote')
      sent.push(rest)
      await sayUnknown(parts, id)
      clock.advance(wait - 1)
      await turn()
      expect(socket.received.filter(({ type }) => type === 'quote')).toHaveLength(sent.length)
      clock.advance(1)
    }
    const { id, ...last } = await socket.next<{ id: string }>('quote')
    expect(sent).toEqual([last, last, last])
    socket.send({ ...accepted, id })
    expect(await submission).toMatchObject({ status: 'accepted', hash: quoteHash })
  })

  test('behavior: returns an unknown outcome after the timeout', async () => {
    const parts = await submitted({ ackTimeoutMs: 1_000 })
    const { clock, socket, submission } = parts
    await sayUnknown(parts, parts.id)
    clock.advance(150)
    await socket.next('quote')
    clock.advance(850)
    expect(await submission).toMatchObject({ status: 'rejected', ...unknown })
  })

  test('behavior: an unknown outcome, then no connection', async () => {
    const parts = await submitted()
    const { clock, recorder, socket, submission } = parts
    await sayUnknown(parts, parts.id)
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    socket.socket.terminate()
    const { retryInMs } = await closed
    clock.advance(150)
    await turn()
    clock.advance((retryInMs ?? 0) - 150)
    const next = await parts.service.letIn()
    const again = await next.next<{ id: string }>('quote')
    next.send({ type: 'quote_ack', id: again.id, rfqId, status: 'rejected', code: 'AUCTION_CLOSED', message: 'Over.' })
    expect(await submission).toMatchObject({ status: 'rejected', code: 'AUCTION_CLOSED' })
  })

  test.each(['closing', 'broken'])(
    'behavior: an unknown outcome, and a connection that is %s takes it no more',
    async (how) => {
      let fails = false
      let tries = 0
      class Failing extends WsWebSocket {
        constructor(url: string) {
          super(url)
          const read = () => Reflect.get(WsWebSocket.prototype, 'readyState', this)
          const get = () => (fails && how === 'closing' ? WsWebSocket.CLOSING : read())
          Object.defineProperty(this, 'readyState', { get })
        }
        override send(...given: unknown[]) {
          tries += 1
          // Retrying without a delay would loop endlessly in this event loop iteration.
          if (tries > 100) throw new TypeError('Without end.')
          if (fails) throw new TypeError('It takes nothing.')
          super.send(...(given as [string]))
        }
      }
      const parts = await submitted({ WebSocket: Failing as never })
      const { client, clock, recorder, service, socket, submission } = parts
      await sayUnknown(parts, parts.id)
      fails = true
      const before = tries
      clock.advance(150)
      await turn()
      expect(tries - before).toBeLessThanOrEqual(1)
      expect(client.isAuth()).toBe(how === 'broken')
      const closed = recorder.next<RFQWebSocketClose>('onClose')
      socket.socket.terminate()
      const { retryInMs } = await closed
      fails = false
      clock.advance(retryInMs ?? 0)
      const next = await service.letIn()
      await turn()
      clock.advance(2_000)
      const again = await next.next<{ id: string }>('quote')
      next.send({ ...accepted, id: again.id })
      expect(await submission).toMatchObject({ status: 'accepted' })
    },
  )

  test('error: sent, then lost permanently', async () => {
    const { socket, submission } = await submitted()
    socket.socket.close(4403, 'not_allowed')
    await expect(submission).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe', closeCode: 4403 })
  })

  test('error: sent, then lost, without another connection in time', async () => {
    const parts = await submitted({ ackTimeoutMs: 400 })
    const { clock, submission } = parts
    await lose(parts)
    clock.advance(400)
    await expect(submission).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe', closeCode: 1012 })
  })

  test('error: disconnected while waiting for another connection', async () => {
    const parts = await submitted()
    const { client, clock, submission } = parts
    await lose(parts)
    client.disconnect()
    await expect(submission).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' })
    expect(clock.pending()).toBe(0)
  })

  test('error: no acknowledgement in time', async () => {
    const { client, clock, submission } = await submitted({ ackTimeoutMs: 2_000 })
    clock.advance(2_000)
    await expect(submission).rejects.toMatchObject({ code: 'TIMEOUT', sent: 'maybe', timeoutMs: 2_000 })
    expect(client.isAuth()).toBe(true)
  })

  test('error: aborted before and while waiting', async () => {
    const controller = new AbortController()
    const { client, submission } = await submitted({}, { signal: controller.signal })
    const signal = AbortSignal.abort()
    await expect(client.submitSerializedQuote(rfqId, wireQuote, { signal })).rejects.toMatchObject({ sent: 'no' })
    controller.abort()
    await expect(submission).rejects.toMatchObject({ code: 'ABORTED', sent: 'maybe' })
  })

  test('error: aborted between attempts and while waiting for another connection', async () => {
    const parts = await connected()
    const { client, socket } = parts
    const submit = async () => {
      const controller = new AbortController()
      const submission = client.submitSerializedQuote(rfqId, wireQuote, { signal: controller.signal })
      submission.catch(() => {})
      const { id } = await socket.next<{ id: string }>('quote')
      return { controller, submission, id }
    }
    const one = await submit()
    await sayUnknown(parts, one.id)
    one.controller.abort()
    await expect(one.submission).rejects.toMatchObject({ code: 'ABORTED', sent: 'maybe' })

    const two = await submit()
    await lose(parts)
    two.controller.abort()
    await expect(two.submission).rejects.toMatchObject({ code: 'ABORTED', sent: 'maybe' })
  })

  test.each([
    ['a number for the notional', { ...wireQuote, notional: 5 }],
    ['no signature', { ...wireQuote, signature: undefined }],
    ['an unknown key', { ...wireQuote, apr: 5 }],
  ])('error: %s is not sent', async (_what, bad) => {
    const { client, socket } = await connected()
    await expect(client.submitSerializedQuote(rfqId, bad as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(socket.received.map(({ type }) => type)).toEqual(['auth'])
  })

  test("error: another maker's quote is not signed", async () => {
    const { client } = await connected()
    await expect(client.submitQuote(rfqId, { ...quote, maker: quoteMarket })).rejects.toMatchObject({
      code: 'MAKER_MISMATCH',
    })
  })
})

describe('the connection', () => {
  test('default: ping', async () => {
    const { client, clock, socket } = await connected()
    const ping = client.ping()
    const { id } = await socket.next<{ id: string }>('ping')
    clock.advance(40)
    socket.send({ type: 'pong', id, serverTime: 77 })
    expect(await ping).toEqual({ serverTime: 77, roundTripMs: 40 })
  })

  test('behavior: a connection that answers its pings stays open', async () => {
    const { client, clock, socket } = await connected()
    for (let round = 0; round < 3; round++) {
      clock.advance(15_000)
      await socket.next('ping')
      const echo = client.ping()
      const { id } = await socket.next<{ id: string }>('ping')
      socket.send({ type: 'pong', id, serverTime: 1 })
      await echo
      clock.advance(5_000)
    }
    expect(client.isAuth()).toBe(true)
  })

  test('behavior: detects a dead connection by a missing pong, and opens another with a new challenge', async () => {
    const { service, client, clock, recorder, socket } = await connected()
    const submission = client.submitSerializedQuote(rfqId, wireQuote)
    clock.advance(15_000)
    await socket.next('ping')
    clock.advance(4_999)
    expect(client.isConnected()).toBe(true)
    clock.advance(1)
    expect([client.isConnected(), client.isAuth()]).toEqual([false, false])
    expect(recorder.told.at(-1)).toEqual({
      event: 'onClose',
      value: { code: 1006, reason: 'no pong', retryInMs: 500 },
    })
    const authenticated = recorder.next('onAuthenticated')
    await turn()
    clock.advance(500)
    const next = await service.letIn()
    await authenticated
    const { id } = await next.next<{ id: string }>('quote')
    next.send({ ...accepted, id })
    expect(await submission).toMatchObject({ status: 'accepted' })
    expect(client.isAuth()).toBe(true)
    expect(next.received[0]?.['signature']).not.toBe(socket.received[0]?.['signature'])
  })

  test('behavior: reconnects come within 5 s, after 20 of them within 30 s, until a connection is healthy', async () => {
    const { service, clock, recorder, socket } = await connected({}, { random: () => 0.999 })
    const waits: (number | null)[] = []
    let current = socket
    for (let round = 0; round < 22; round++) {
      const closed = recorder.next<RFQWebSocketClose>('onClose')
      current.socket.close(1012, 'restart')
      const { retryInMs } = await closed
      waits.push(retryInMs)
      const authenticated = recorder.next('onAuthenticated')
      clock.advance(retryInMs ?? 0)
      current = await service.letIn()
      await authenticated
    }
    expect(waits).toEqual([999, 1998, 3996, ...Array(17).fill(4995), 29970, 29970])

    clock.advance(15_000)
    await current.next('ping')
    const heard = recorder.next('onAuctionResult')
    current.send({ type: 'auction_result', rfqId, closedAt: 3, quoteCount: 0 })
    await heard
    clock.advance(5_000)
    const closed = recorder.next<RFQWebSocketClose>('onClose')
    current.socket.close(1012, 'restart')
    expect(await closed).toMatchObject({ retryInMs: 999 })
  })

  test('behavior: disconnect rejects pending calls, leaves no timer, and stays disconnected until connect', async () => {
    const { service, client, clock, recorder, socket, submission } = await submitted()
    recorder.fresh()
    const gone = new Promise((resolve) => socket.socket.once('close', resolve))
    client.disconnect()
    await expect(submission).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' })
    await gone
    expect(recorder.fresh()).toEqual(['onClose'])
    expect(clock.pending()).toBe(0)
    client.disconnect()
    // Within a challenge's tolerance.
    clock.advance(240_000)
    await turn()
    expect(service.sockets).toHaveLength(1)
    expect(recorder.fresh()).toEqual([])
    const [again] = await Promise.all([service.letIn(), client.connect()])
    clock.advance(0)
    expect(client.isAuth()).toBe(true)
    expect(service.sockets).toHaveLength(2)
    expect(recorder.fresh()).toEqual(['onOpen', 'onAuthenticated'])

    const resubmission = client.submitSerializedQuote(rfqId, wireQuote)
    const { id } = await again.next<{ id: string }>('quote')
    again.send({ ...accepted, id })
    expect(await resubmission).toMatchObject({ status: 'accepted' })
  })

  test('behavior: connect from within onClose of disconnect', async () => {
    let again: Promise<void> | null = null
    const { service, client, clock } = await connected(
      {},
      {},
      {
        onClose: () => {
          again ??= client.connect()
        },
      },
    )
    client.disconnect()
    await Promise.all([service.letIn(), again])
    expect(client.isAuth()).toBe(true)
    client.disconnect()
    expect(clock.pending()).toBe(0)
  })

  test('behavior: leaves no timer if the WebSocket constructor throws', async () => {
    class Broken {
      constructor() {
        throw new TypeError('no sockets here')
      }
    }
    const { client, clock } = await start({}, { WebSocket: Broken as never })
    await expect(client.connect()).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: 'no' })
    expect(clock.pending()).toBe(0)
  })

  test('behavior: disconnect while waiting for the next attempt', async () => {
    const { service, client, clock, recorder, socket } = await connected()
    const closed = recorder.next('onClose')
    socket.socket.terminate()
    await closed
    const connecting = client.connect()
    connecting.catch(() => {})
    client.disconnect()
    await expect(connecting).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: 'no' })
    expect(clock.pending()).toBe(0)
    clock.advance(600_000)
    expect(service.sockets).toHaveLength(1)
  })

  test('behavior: disconnect from within onClose', async () => {
    let stop = () => {}
    const { service, client, clock, recorder, socket } = await connected({}, {}, { onClose: () => stop() })
    stop = () => client.disconnect()
    const closed = recorder.next('onClose')
    socket.socket.terminate()
    await closed
    expect(clock.pending()).toBe(0)
    expect(service.sockets).toHaveLength(1)
  })
})

/** An account that signs only when the test lets it. */
function slowAccount() {
  const { promise: held, resolve: release } = createDeferred()
  const account = {
    address: maker,
    type: 'local',
    source: 'custom',
    signTypedData: async () => {
      await held
      return wireQuote.signature
    },
  }
  return { account: account as never, release }
}
