import type { Socket } from 'node:net'
import { inspect } from 'node:util'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { WebSocket } from 'ws'
import { type BackerService, type ServiceSocket, startBackerService } from '../test/backerService.ts'
import { type DaemonCall, startDaemon } from '../test/daemon.ts'
import { key, quote, signerConfig, wireQuote } from '../test/samples.ts'
import * as sdk from './index.ts'
import * as node from './node.ts'

// Calls every public function, method and constructor with arguments that callers pass by mistake.

// Thousands of stack traces would dominate the run time.
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 0
})
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit
})

const secret = '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
const url = 'https://user:hunter2@node.example'
const circular: Record<string, unknown> = { notional: 1n }
circular['self'] = circular
const garbage: unknown[] = [
  undefined,
  null,
  {},
  [],
  '',
  'text',
  `0x${secret}`,
  url,
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2n ** 300n,
  BigInt(`0x${secret}`),
  true,
  circular,
  { timeoutMs: 'soon' },
  { ...quote, notional: -1n, salt: `0x${secret}` },
  { ...quote, maker: `0x${secret}`, signature: 1 },
  { orderbookUrl: url, socketPath: 1 },
]

type Call = (...args: never[]) => unknown
const failures: { name: string; error: unknown }[] = []
let calls = 0

/** Records thrown errors and rejections. Returned values are fine. */
async function attempt(name: string, call: () => unknown): Promise<void> {
  calls += 1
  try {
    const value = call()
    if (value instanceof Promise) await value
    // A stream sends its request when its first event is read.
    else if (name === 'streamQuotes' || name === 'followAuction') await (value as AsyncGenerator).next()
  } catch (error) {
    failures.push({ name, error })
  }
}

async function attemptAll(name: string, call: (...args: unknown[]) => unknown): Promise<void> {
  await attempt(name, () => call())
  for (const first of garbage) {
    await attempt(name, () => call(first))
    for (const second of [null, { timeoutMs: 'soon' }]) {
      await attempt(name, () => call(first, second))
    }
  }
  for (const second of garbage)
    for (const first of [wireQuote, 5n]) {
      await attempt(name, () => call(first, second))
      await attempt(name, () => call(first, quote, second))
    }
}

function methodsOf(instance: object): string[] {
  const prototype = Object.getPrototypeOf(instance) as object
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
}

function expectOnlyOurs(): void {
  for (const { name, error } of failures.splice(0)) {
    if (!(error instanceof sdk.BaseError)) throw new Error(`${name} threw what is not a BaseError`, { cause: error })
    expect(error.code).toMatch(/^[A-Z][A-Z_]+$/)
    if (error instanceof sdk.InvalidInputError && error.path !== undefined) expect(error.path).not.toBe('')
    const shown = inspect(error, { depth: 9, showHidden: true })
    for (const hidden of [secret, BigInt(`0x${secret}`).toString(), 'hunter2', key.slice(2)]) {
      if (shown.includes(hidden)) throw new Error(`${name} shows a secret`, { cause: error })
    }
  }
}

const isClass = (value: unknown) =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
const exported = [...Object.entries(sdk), ...Object.entries(node)]

describe('functions', () => {
  const functions = exported.filter(([, value]) => typeof value === 'function' && !isClass(value))

  test('behavior: there are as many as the package exports', () => {
    expect(functions.length).toBeGreaterThanOrEqual(25)
  })

  test.each(functions)('error: %s', async (name, value) => {
    calls = 0
    await attemptAll(name, value as Call as (...args: unknown[]) => unknown)
    expect(calls).toBeGreaterThan(140)
    expectOnlyOurs()
  })
})

test('error: constructors', async () => {
  const classes = exported.filter(([, value]) => isClass(value) && !((value as Call).prototype instanceof Error))
  expect(classes.map(([name]) => name).sort()).toEqual([
    'BackerSigner',
    'BorrowerClient',
    'RFQWebSocketClient',
    'RfqDaemonClient',
    'ServiceClient',
  ])
  for (const [name, value] of classes) {
    const Class = value as unknown as new (...args: unknown[]) => unknown
    await attemptAll(name, (...args) => new Class(...args))
    for (const given of garbage) await attempt(name, () => new Class({ ...signerConfig }, given))
  }
  expect(failures.length).toBeGreaterThan(100)
  expectOnlyOurs()
})

describe('methods', () => {
  let service: BackerService
  let socket: ServiceSocket
  let daemon: Awaited<ReturnType<typeof startDaemon>>
  let channel: sdk.RFQWebSocketClient
  const refuse = ({ id }: DaemonCall, to: Socket) =>
    to.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: 'no' } })}\n`)

  beforeAll(async () => {
    daemon = await startDaemon(refuse)
    service = await startBackerService()
    const clock = createFakeClock(1_767_225_600_000)
    const signer = new sdk.BackerSigner(signerConfig, { clock })
    signer.setPrivateKey(key)
    const { chainId, quoteMarketAddress } = signerConfig
    channel = new sdk.RFQWebSocketClient({ url: service.url, signer, chainId, quoteMarketAddress, WebSocket, clock })
    const connecting = channel.connect()
    socket = await service.letIn()
    await connecting
    socket.socket.on('message', (data) => {
      const { type, id, rfqId } = JSON.parse(String(data))
      if (type === 'ping') socket.send({ type: 'pong', id, serverTime: 1 })
      else if (id !== undefined) socket.send({ type: 'error', id, code: 'INVALID_REQUEST', message: `${typeof rfqId}` })
    })
  })
  afterAll(async () => {
    channel.disconnect()
    await service.close()
    await daemon.close()
  })

  test('error: BackerSigner', async () => {
    for (const withKey of [false, true]) {
      for (const name of methodsOf(new sdk.BackerSigner(signerConfig))) {
        const signer = new sdk.BackerSigner(signerConfig)
        if (withKey) signer.setPrivateKey(key)
        await attemptAll(name, (...args) => (signer[name as keyof typeof signer] as Call)(...(args as never[])))
      }
    }
    expect(failures.length).toBeGreaterThan(300)
    expectOnlyOurs()
  })

  test('error: ServiceClient', async () => {
    const fetch = () => Promise.reject(new TypeError('no network'))
    const create = () => new sdk.ServiceClient({}, { fetch, random: () => 0, WebSocket })
    for (const name of methodsOf(create())) {
      const client = create()
      await attemptAll(name, (...args) => (client[name as keyof typeof client] as Call)(...(args as never[])))
    }
    expect(failures.length).toBeGreaterThan(700)
    expectOnlyOurs()
  }, 60_000)

  test('error: RFQWebSocketClient, connected', async () => {
    const names = methodsOf(channel).filter((name) => name !== 'disconnect')
    for (const name of names) {
      await attemptAll(name, (...args) => (channel[name as keyof typeof channel] as Call)(...(args as never[])))
    }
    expect(channel.isAuth()).toBe(true)
    expect(failures.length).toBeGreaterThan(300)
    expectOnlyOurs()
  })

  test('error: RfqDaemonClient', async () => {
    const client = new node.RfqDaemonClient({ socketPath: daemon.path })
    for (const name of methodsOf(client).filter((name) => name !== 'close')) {
      await attemptAll(name, (...args) => (client[name as keyof typeof client] as Call)(...(args as never[])))
    }
    client.close()
    expect(failures.length).toBeGreaterThan(700)
    expectOnlyOurs()
  })
})
