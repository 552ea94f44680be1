import { inspect } from 'node:util'
import {
  ChainUnavailableError,
  type QuoteMarketQuote,
  type RFQBroadcast,
  serializeSignedQuote,
  toPublicRfqId,
} from '@firmquote/core'
import { serveSocket } from '@firmquote/node-runtime/socket/serveSocket'
import { type DaemonQuote, type DaemonStatus, RfqDaemonClient } from '@firmquote/sdk/node'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { createListLog } from '@firmquote/test-support/listLog'
import { openRawConnection } from '@firmquote/test-support/rawConnection'
import { createSocketFolder } from '@firmquote/test-support/socketFolder'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { ControlError, controlCodes, type DaemonControl, InvalidPolicyError } from '../app/daemonControl.ts'
import { createDaemonMethods, daemonMethodNames } from './daemonMethods.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const bytes = (digit: string): Hex => `0x${digit.repeat(64)}`
const signed = exampleQuote({ deadline: 2n ** 256n - 1n })
const { maker, signature: _none, ...rest } = signed
const quote: QuoteMarketQuote = { maker, ...rest }
const rfqId = toPublicRfqId('ab'.repeat(16))
const rfq: RFQBroadcast = {
  rfqId,
  poolId: bytes('2'),
  seriesKey: bytes('3'),
  expiry: 1_798_761_600,
  notional: 1_000_000_000_000n,
  openedAt: 1_767_225_600_000,
  closesAt: 1_767_225_615_000,
}
const status: DaemonStatus = {
  version: '0.0.0',
  address: maker,
  paused: false,
  service: { url: 'ws://localhost:3005/ws/rfq', connected: true, authenticated: true },
  dryRun: false,
  openRfqs: 1,
  hook: { unanswered: 2, lastError: 'The hooks.onFilled program exited with code 3.' },
  startedAt: 5,
}
const answered: DaemonQuote = {
  hash: bytes('6'),
  rfqId,
  quote: signed,
  verdict: 'rejected',
  code: 'ALREADY_QUOTED',
  signedAt: 7,
}
const handMade: DaemonQuote = { hash: bytes('7'), rfqId: null, quote: signed, verdict: 'unknown', signedAt: 8 }
const key = 'the key of the daemon'

/** A control that records its calls and returns extra fields that must not be exposed. */
function createControl(changed: Partial<DaemonControl> = {}) {
  const asked: unknown[][] = []
  const keep =
    <Args extends unknown[], T>(name: string, result: T) =>
    async (...args: Args) => {
      asked.push([name, ...args])
      return result
    }
  const control: DaemonControl = {
    status: keep('status', { ...status, key, service: { ...status.service, key } }),
    getAddress: keep('getAddress', maker),
    getPolicy: keep('getPolicy', { maxNotional: 5n, bounds: [1n, { least: 2n }], spread: 0.5 }),
    setPolicy: async (changes) => {
      asked.push(['setPolicy', changes])
      return { ...changes, maxNotional: 6n }
    },
    pause: keep('pause', undefined),
    resume: keep('resume', undefined),
    listRfqs: keep('listRfqs', [
      { ...rfq, key },
      { ...rfq, maxVrtAmount: 0n, taker: maker },
    ]),
    listQuotes: keep('listQuotes', [{ ...answered, key }, handMade]),
    signQuote: keep('signQuote', { ...signed, key }),
    submitQuote: keep('submitQuote', {
      type: 'quote_ack',
      id: '5',
      rfqId,
      status: 'accepted',
      hash: bytes('6'),
      receivedAt: 1,
      closesAt: 2,
    } as const),
    raiseNonce: keep('raiseNonce', { transactionHash: bytes('8'), endedQuotes: [bytes('6')] }),
    shutdown: keep('shutdown', undefined),
    ...changed,
  }
  return { control, asked }
}

async function serve(changed: Partial<DaemonControl> = {}) {
  const { control, asked } = createControl(changed)
  const { path, remove } = createSocketFolder()
  const log = createListLog()
  const served = await serveSocket({ socketPath: path, methods: createDaemonMethods(control), program: 'daemon', log })
  const client = new RfqDaemonClient({ socketPath: path })
  closers.push(remove, served.close, () => client.close())
  const ask = async (method: string, params?: unknown) => {
    const connection = await openRawConnection(path)
    const answer = (await connection.ask({ jsonrpc: '2.0', id: 1, method, params })) as Record<string, unknown>
    connection.socket.destroy()
    return answer
  }
  return { client, asked, ask, log, served }
}

describe("through the SDK's client", () => {
  const cases: [string, (client: RfqDaemonClient) => Promise<unknown>, unknown[], unknown][] = [
    ['status', (client) => client.status(), [], status],
    ['getAddress', (client) => client.getAddress(), [], maker],
    ['getPolicy', (client) => client.getPolicy(), [], { maxNotional: '5', bounds: ['1', { least: '2' }], spread: 0.5 }],
    ['setPolicy', (client) => client.setPolicy({ least: 1n }), [{ least: '1' }], { least: '1', maxNotional: '6' }],
    ['pause', (client) => client.pause(), [], undefined],
    ['resume', (client) => client.resume(), [], undefined],
    ['listRfqs', (client) => client.listRfqs(), [], [rfq, { ...rfq, maxVrtAmount: 0n, taker: maker }]],
    ['listQuotes', (client) => client.listQuotes(), [], [answered, handMade]],
    ['signQuote', (client) => client.signQuote(quote), [quote], serializeSignedQuote(signed)],
    [
      'submitQuote',
      (client) => client.submitQuote(rfqId, serializeSignedQuote(signed)),
      [rfqId, signed],
      { type: 'quote_ack', rfqId, status: 'accepted', hash: bytes('6'), receivedAt: 1, closesAt: 2 },
    ],
    ['raiseNonce', (client) => client.raiseNonce(), [], { transactionHash: bytes('8'), endedQuotes: [bytes('6')] }],
    ['shutdown', (client) => client.shutdown(), [], undefined],
  ]
  test.each(cases)('default: %s', async (name, call, args, expected) => {
    const { client, asked } = await serve()
    expect(await call(client)).toEqual(expected)
    expect(asked).toEqual([[name, ...args]])
  })

  test('behavior: there is a case for every method', () => {
    expect(cases.map(([name]) => name)).toEqual([...daemonMethodNames])
  })

  test('behavior: a rejection by the service is a result, with its facts', async () => {
    const verdict = {
      type: 'quote_ack',
      rfqId,
      status: 'rejected',
      code: 'NOTIONAL_TOO_LARGE',
      message: 'The notional 6 is above the requested 5.',
      details: { notional: '6', limit: '5' },
    } as const
    const { client } = await serve({ submitQuote: async () => verdict })
    expect(await client.submitQuote(rfqId, serializeSignedQuote(signed))).toEqual(verdict)
  })

  test('behavior: the answer to shutdown arrives although it closes the socket', async () => {
    let close = () => {}
    const { client, served } = await serve({ shutdown: async () => close() })
    close = () => void served.close()
    await client.shutdown()
    await served.close()
    await expect(client.status()).rejects.toMatchObject({
      name: expect.stringMatching(/ConnectionError|DaemonSocketError/),
    })
  })
})

describe('with raw requests', () => {
  test('behavior: raiseNonce returns the ended quotes, pause and resume the new state', async () => {
    const { ask } = await serve()
    expect(await ask('raiseNonce')).toMatchObject({
      result: { transactionHash: bytes('8'), endedQuotes: [bytes('6')] },
    })
    expect(await ask('pause', {})).toMatchObject({ result: { paused: true } })
    expect(await ask('resume', [])).toMatchObject({ result: { paused: false } })
    expect(await ask('shutdown')).toMatchObject({ result: null })
  })

  test.each(daemonMethodNames)('behavior: what else the control hands out stays inside (%s)', async (method) => {
    const { ask } = await serve()
    const params = {
      setPolicy: {},
      signQuote: { quote: wire },
      submitQuote: { rfqId, quote: serializeSignedQuote(signed) },
    }
    const answer = await ask(method, (params as Record<string, unknown>)[method])
    expect(answer).toHaveProperty('result')
    expect(JSON.stringify(answer)).not.toContain(key)
  })

  const { signature: _, ...wire } = serializeSignedQuote(signed)
  test.each<[string, unknown, string[]]>([
    ['status', [1], ['']],
    ['pause', { now: true }, ['now']],
    ['setPolicy', undefined, ['']],
    ['setPolicy', [], ['']],
    ['signQuote', undefined, ['']],
    ['signQuote', {}, ['quote']],
    ['signQuote', [wire], ['']],
    [
      'signQuote',
      { quote: { ...wire, notional: '0x10', maker: 'me' }, force: true },
      ['quote.maker', 'quote.notional', 'force'],
    ],
    ['signQuote', { quote: { ...wire, notional: 5 } }, ['quote.notional']],
    ['signQuote', { quote: serializeSignedQuote(signed) }, ['quote.signature']],
    [
      'submitQuote',
      { rfqId: 'AB', quote: { ...wire, deadline: (2n ** 256n).toString() } },
      ['rfqId', 'quote.deadline', 'quote.signature'],
    ],
  ])('error: %s with %j, with the path of every mistake', async (method, params, paths) => {
    const { ask, asked } = await serve()
    const answer = await ask(method, params)
    const errors = paths.map((path) => ({ path, message: expect.any(String) }))
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_602, message: expect.stringMatching(/^Invalid parameters: .*\.$/), data: { errors } },
    })
    expect(asked).toEqual([])
  })
})

describe('refusals', () => {
  test.each(controlCodes)('error: %s has its own code, and its facts', async (code) => {
    const error = new ControlError(code, 'A sentence.', { facts: { limit: '5', code: 'other' }, cause: new Error(key) })
    const { client } = await serve({
      raiseNonce: async () => {
        throw error
      },
    })
    await expect(client.raiseNonce()).rejects.toMatchObject({
      name: 'DaemonError',
      rpcCode: daemonRpcCodes[code],
      shortMessage: 'A sentence.',
      data: { limit: '5', code },
    })
  })

  test('behavior: codes are from -32001 down, each once', () => {
    const codes = Object.values(daemonRpcCodes)
    expect(codes).toEqual(codes.map((_code, index) => -32_001 - index))
  })

  test('error: an invalid policy, with the path of every mistake', async () => {
    const issues = [
      { path: 'spread', message: 'must be a number' },
      { path: 'bounds.0', message: 'is missing' },
    ]
    const { client } = await serve({
      setPolicy: async () => {
        throw new InvalidPolicyError(issues)
      },
    })
    await expect(client.setPolicy({ spread: 'x' })).rejects.toMatchObject({
      rpcCode: -32_602,
      shortMessage: 'Invalid parameters: spread must be a number; bounds.0 is missing.',
      data: { errors: issues },
    })
  })

  test("error: an unreadable chain, without the node's address", async () => {
    const { client } = await serve({
      signQuote: async () => {
        throw new ChainUnavailableError(`no answer from http://node/${key}`)
      },
    })
    const error = await client.signQuote(quote).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ rpcCode: -32_009, shortMessage: 'Failed to read the chain.' })
    expect(inspect(error)).not.toContain(key)
  })

  test('error: an unexpected error, without its message', async () => {
    const { client, log } = await serve({
      status: async () => {
        throw new TypeError(key)
      },
    })
    const error = await client.status().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ rpcCode: -32_603, data: undefined })
    expect(inspect(error)).not.toContain(key)
    expect(log.entries).toContainEqual(
      expect.objectContaining({ level: 'error', facts: { err: expect.any(TypeError), method: 'status' } }),
    )
  })
})
