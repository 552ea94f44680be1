import type { RFQRequest } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { createClient, custom, type Hex } from 'viem'
import { bytes, key, maker, quote, quoteMarket, wireQuote } from '../test/samples.ts'
import { BackerSigner } from './backer/backerSigner.ts'
import { RFQWebSocketClient } from './backer/rfqWebSocketClient.ts'
import { checkExecutability } from './executability/checkExecutability.ts'
import {
  approvalSteps,
  approveParameters,
  cancelQuoteParameters,
  raiseNonceParameters,
  setOperatorParameters,
  takeQuoteParameters,
} from './executability/takeQuote.ts'
import { RfqDaemonClient } from './node.ts'
import { ServiceClient } from './serviceClient.ts'
import {
  checkpointParameters,
  observeParameters,
  settleManyParameters,
  settleParameters,
  withdrawParameters,
} from './settling/settleParameters.ts'
import { oneTransaction } from './taking/oneTransaction.ts'
import { planTakes } from './taking/planTakes.ts'
import { maxVrtAmountOf } from './taking/priceLimit.ts'
import { takeBest } from './taking/takeBest.ts'

// Error messages for common mistakes. Nothing is sent, because there is no service or chain.

const client = new ServiceClient(
  {},
  {
    fetch: () => {
      throw new Error('Something was sent.')
    },
  },
)
client.setPrivateKey(key)
const publicClient = createClient({
  transport: custom({
    request() {
      throw new Error('The chain was read.')
    },
  }),
})
const signed = { ...quote, signature: wireQuote.signature }
const request = { poolId: bytes('2'), seriesKey: bytes('3'), notional: 1n }
const loanToken: Hex = quoteMarket
const parameters = { request, borrower: maker, publicClient }
const take = { ...parameters, limit: { maxApr: 8 }, send: () => Promise.reject(new Error('It was sent.')) }
const socket = {
  url: 'ws://localhost/ws/rfq',
  signer: client.getSigner(),
  chainId: 1,
  quoteMarketAddress: quoteMarket,
} as const

/** Returns the first line of a thrown error or rejection. */
async function read(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? ''
  }
  return 'nothing'
}

/** A wrong value, cast to any parameter type. */
const wrong = (value: unknown) => value as never

type Amount = [path: string, call: (amount: never) => unknown]
const amounts: Amount[] = [
  ['notional', (amount) => client.requestQuotes({ ...request, notional: amount })],
  ['minNotional', (amount) => client.requestQuotes({ ...request, minNotional: amount })],
  ['maxVrtAmount', (amount) => client.requestQuotes({ ...request, maxVrtAmount: amount })],
  ['notional', (amount) => client.streamQuotes({ ...request, notional: amount })],
  ['minNotional', (amount) => client.getQuoteMarketQuotes({ minNotional: amount })],
  ['maxNotional', (amount) => client.getQuoteMarketQuotes({ maxNotional: amount })],
  ['notional', (amount) => client.getPoolRates({ notional: amount })],
  ...(['notional', 'vrtAmount', 'nonce', 'deadline'] as const).map(
    (field): Amount => [field, (amount) => client.signQuoteMarketQuote({ ...quote, maker, [field]: amount })],
  ),
  [
    'request.notional',
    (amount) => checkExecutability(signed, { ...parameters, request: { ...request, notional: amount } }),
  ],
  [
    'request.maxVrtAmount',
    (amount) => checkExecutability(signed, { ...parameters, request: { ...request, maxVrtAmount: amount } }),
  ],
  ['request.notional', (amount) => takeBest([], { ...take, request: { ...request, notional: amount } })],
  ['request.minNotional', (amount) => takeBest([], { ...take, request: { ...request, minNotional: amount } })],
  ['limit.maxVrtAmount', (amount) => takeBest([], { ...take, limit: { maxVrtAmount: amount } })],
  ['fixed', (amount) => planTakes([], { ...parameters, limit: { maxApr: 8 }, fixed: amount })],
  ['notional', (amount) => maxVrtAmountOf({ maxApr: 8 }, amount, { expiry: 2, at: 1n })],
  ['maxCost', (amount) => takeQuoteParameters(signed, { maxCost: amount })],
  ['vrtAmount', (amount) => takeQuoteParameters({ ...signed, vrtAmount: amount })],
  ['notional', (amount) => cancelQuoteParameters({ ...quote, notional: amount })],
  ['amount', (amount) => approveParameters({ loanToken, amount })],
  ['amount', (amount) => approvalSteps({ loanToken, allowance: 0n, amount })],
  ['allowance', (amount) => approvalSteps({ loanToken, allowance: amount, amount: 0n })],
  ['positionId', (amount) => settleParameters({ positionId: amount })],
  ['positionIds.0', (amount) => settleManyParameters({ positionIds: [amount] })],
]

describe('an amount that is no bigint', () => {
  test.each(amounts)('error: %s', async (path, call) => {
    expect(await read(() => call(wrong(250_000_000_000)))).toBe(
      `${path}: is a number but must be a bigint: 250000000000n.`,
    )
    expect(await read(() => call(wrong('250000000000')))).toBe(
      `${path}: is a string but must be a bigint: 250000000000n.`,
    )
    expect(await read(() => call(wrong(0.5)))).toBe(
      `${path}: is a number but must be a bigint in raw units: parsePrincipal('0.5', decimals).`,
    )
    expect(await read(() => call(wrong(null)))).toMatch(`${path}: must be a bigint, such as 250000000000n.`)
    expect(await read(() => call(wrong(-1n)))).toBe(`${path}: must be a bigint from 0 to 2^256 - 1.`)
  })

  test('error: a missing amount', async () => {
    const missing = 'notional: is missing. Pass a bigint, such as 250000000000n.'
    expect(await read(() => client.requestQuotes({ ...request, notional: wrong(undefined) }))).toBe(missing)
    expect(await read(() => client.signQuoteMarketQuote({ ...quote, maker, notional: wrong(undefined) }))).toBe(missing)
    expect(await read(() => approveParameters({ loanToken, amount: wrong(undefined) }))).toBe(
      'amount: is missing. Pass a bigint, such as 250000000000n.',
    )
    const whole: RFQRequest = { ...request, notional: 0n }
    expect(await read(() => client.requestQuotes(whole))).toBe('notional: must be positive.')
  })
})

describe('an option under a wrong name', () => {
  test.each<[wrongName: string, name: string, call: (options: Record<string, never>) => unknown]>([
    ['url', 'orderbookUrl', (options) => new ServiceClient(options)],
    ['baseUrl', 'orderbookUrl', (options) => new ServiceClient(options)],
    ['endpoint', 'orderbookUrl', (options) => new ServiceClient(options)],
    ['quoteMarket', 'quoteMarketAddress', (options) => new ServiceClient(options)],
    ['interestRatePool', 'interestRatePoolAddress', (options) => new ServiceClient(options)],
    ['webSocket', 'WebSocket', (options) => new ServiceClient({}, options)],
    ['timeout', 'timeoutMs', (options) => new ServiceClient({}, options)],
    ['timeout', 'timeoutMs', (options) => client.getHealth(options)],
    ['abortSignal', 'signal', (options) => client.getRfq(wrong('ab'.repeat(16)), options)],
    ['idempotencykey', 'idempotencyKey', (options) => client.requestQuotes(request, options)],
    ['idleTimeout', 'idleTimeoutMs', (options) => client.streamQuotes(request, options)],
    ['onQuote', 'onRFQ', (events) => client.connectWebSocket(events)],
    ['onRequest', 'onRFQ', (events) => new RFQWebSocketClient(socket, events)],
    ['onRfq', 'onRFQ', (events) => new RFQWebSocketClient(socket, events)],
    ['onFill', 'onQuoteStatus', (events) => new RFQWebSocketClient(socket, events)],
    ['onFilled', 'onQuoteStatus', (events) => new RFQWebSocketClient(socket, events)],
    [
      'maxCost',
      'maxVrtAmount',
      (more) => checkExecutability(signed, { ...parameters, request: { ...request, ...more } }),
    ],
    ['maxVrtAmount', 'maxCost', (options) => takeQuoteParameters(signed, options)],
    ['approve', 'approved', (options) => setOperatorParameters(options)],
    ['permit', 'permits', (more) => oneTransaction({ borrower: maker, publicClient, ...more })],
    ['to', 'account', (more) => withdrawParameters({ token: loanToken, ...more })],
    ['socket', 'socketPath', (options) => new RfqDaemonClient(options)],
  ])('error: %s: the name is %s', async (wrongName, name, call) => {
    expect(await read(() => call(wrong({ [wrongName]: 1 })))).toBe(`${wrongName}: is unknown. Use ${name}.`)
  })

  // The default addresses would call the production contracts.
  test.each<[call: (contracts: Record<string, never>) => unknown]>([
    [(contracts) => checkExecutability(signed, { ...parameters, ...contracts })],
    [(contracts) => takeBest([], { ...take, ...contracts })],
    [(contracts) => oneTransaction({ borrower: maker, publicClient, ...contracts })],
    [(contracts) => takeQuoteParameters(signed, contracts)],
    [(contracts) => approveParameters({ loanToken, amount: 1n, ...contracts })],
    [(contracts) => approvalSteps({ loanToken, allowance: 0n, amount: 1n, ...contracts })],
    [(contracts) => setOperatorParameters(contracts)],
    [(contracts) => cancelQuoteParameters(quote, contracts)],
    [(contracts) => raiseNonceParameters(contracts)],
    [(contracts) => settleParameters({ positionId: 1n, ...contracts })],
    [(contracts) => settleManyParameters({ positionIds: [1n], ...contracts })],
    [(contracts) => withdrawParameters({ token: loanToken, ...contracts })],
    [(contracts) => checkpointParameters({ seriesKey: bytes('3'), ...contracts })],
    [(contracts) => observeParameters({ seriesKey: bytes('3'), ...contracts })],
  ])("error: contracts as the service's configuration has them: %s", async (call) => {
    expect(await read(() => call(wrong({ quoteMarket })))).toBe('quoteMarket: is unknown. Use quoteMarketAddress.')
  })

  test('error: an unknown limit or request field', async () => {
    expect(await read(() => takeBest([], { ...take, limit: wrong({ maxCost: 8n }) }))).toBe(
      'limit: must have exactly one of maxVrtAmount and maxApr.',
    )
    expect(await read(() => client.requestQuotes(wrong({ ...request, maxCost: 1n })))).toBe(
      'maxCost: is unknown. Use maxVrtAmount.',
    )
  })

  test("behavior: accepts a client's whole configuration in place of its addresses", () => {
    const config = client.getConfig()
    const options = { ...config, loanToken, allowance: 1n, amount: 2n }
    expect(approvalSteps(options)).toHaveLength(2)
    expect(settleParameters({ ...config, positionId: 1n }).address).toBe(config.interestRatePoolAddress)
    expect(takeQuoteParameters(signed, { ...config, maxCost: undefined }).address).toBe(config.quoteMarketAddress)
    expect(new RFQWebSocketClient({ ...config, ...socket }).isAuth()).toBe(false)
    expect(new BackerSigner(config).getAddress()).toBeNull()
  })

  test('behavior: accepts an object with properties other than callbacks', () => {
    const events = { seen: [] as Hex[], count: 0, onRFQ() {} }
    expect(new RFQWebSocketClient(socket, events).isAuth()).toBe(false)
  })
})
