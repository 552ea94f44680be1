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
  settleManyParameters,
  settleParameters,
  withdrawParameters,
} from './settling/settleParameters.ts'
import { proveTaker } from './taker/proveTaker.ts'
import { oneTransaction } from './taking/oneTransaction.ts'
import { planTakes } from './taking/planTakes.ts'
import { maxVrtAmountOf } from './taking/priceLimit.ts'
import { takeBest } from './taking/takeBest.ts'

// What a person reads who has made a usual mistake. Nothing is sent: there is no service and no chain.

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

/** The first line of what is thrown or rejected with. */
async function read(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? ''
  }
  return 'nothing'
}

/** A wrong value, seen as any type that a call takes. */
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
      `${path}: is a number where a bigint belongs; pass a bigint: 250000000000n.`,
    )
    expect(await read(() => call(wrong('250000000000')))).toBe(
      `${path}: is a string where a bigint belongs; pass a bigint: 250000000000n.`,
    )
    expect(await read(() => call(wrong(0.5)))).toBe(
      `${path}: is a number where a bigint belongs; pass a bigint in raw units: parsePrincipal('0.5', decimals).`,
    )
    expect(await read(() => call(wrong(null)))).toMatch(`${path}: must be a bigint, such as 250000000000n.`)
    expect(await read(() => call(wrong(-1n)))).toBe(`${path}: must be a bigint from 0 to 2^256 - 1.`)
  })

  test('error: one that is missing', async () => {
    const missing = 'notional: is missing; pass a bigint, such as 250000000000n.'
    expect(await read(() => client.requestQuotes({ ...request, notional: wrong(undefined) }))).toBe(missing)
    expect(await read(() => client.signQuoteMarketQuote({ ...quote, maker, notional: wrong(undefined) }))).toBe(missing)
    expect(await read(() => approveParameters({ loanToken, amount: wrong(undefined) }))).toBe(
      'amount: is missing; pass a bigint, such as 250000000000n.',
    )
    const whole: RFQRequest = { ...request, notional: 0n }
    expect(await read(() => client.requestQuotes(whole))).toBe('notional: must be above zero.')
  })
})

describe('an option that there is not', () => {
  const id = 'ab'.repeat(16)
  test.each<[string, () => unknown]>([
    ['url: is not known; the name is orderbookUrl.', () => new ServiceClient(wrong({ url: 'http://localhost' }))],
    ['webSocket: is not known; the name is WebSocket.', () => new ServiceClient({}, wrong({ webSocket: WebSocket }))],
    ['timeout: is not known; the name is timeoutMs.', () => new ServiceClient({}, wrong({ timeout: 1 }))],
    ['timeout: is not known; the name is timeoutMs.', () => client.getHealth(wrong({ timeout: 1 }))],
    ['abortSignal: is not known; the name is signal.', () => client.getRfq(wrong(id), wrong({ abortSignal: 1 }))],
    ['retry: is not known; there are signal, timeoutMs.', () => client.getMarkets(wrong({ retry: 1 }))],
    [
      'idempotencykey: is not known; the name is idempotencyKey.',
      () => client.requestQuotes(request, wrong({ idempotencykey: 'x' })),
    ],
    [
      'idleTimeout: is not known; the name is idleTimeoutMs.',
      () => client.streamQuotes(request, wrong({ idleTimeout: 1 })),
    ],
    [
      'lastEvent: is not known; the name is lastEventId.',
      () => client.followAuction(wrong(id), wrong({ lastEvent: 1 })),
    ],
    ['states: is not known; the name is status.', () => client.getPositions(maker, wrong({ states: 'all' }))],
    ['audiences: is not known; the name is audience.', () => client.getMakerQuotes({}, wrong({ audiences: 'x' }))],
    ['audiance: is not known; the name is audience.', () => client.connectWebSocket({}, wrong({ audiance: 'x' }))],
    ['onQuote: is not known; the name is onRFQ.', () => client.connectWebSocket(wrong({ onQuote() {} }))],
    ['onRfq: is not known; the name is onRFQ.', () => new RFQWebSocketClient(socket, wrong({ onRfq() {} }))],
    ['onFill: is not known; the name is onQuoteStatus.', () => new RFQWebSocketClient(socket, wrong({ onFill() {} }))],
    [
      'ackTimeout: is not known; the name is ackTimeoutMs.',
      () => new RFQWebSocketClient(wrong({ ...socket, ackTimeout: 1 })),
    ],
    [
      'retries: is not known; the name is retry.',
      () => new RFQWebSocketClient(socket).connect(wrong({ retries: true })),
    ],
    [
      'maxVRTAmount: is not known; the name is maxVrtAmount.',
      () => client.requestQuotes(wrong({ ...request, maxVRTAmount: 1n })),
    ],
    ['amount: is not known; the name is notional.', () => client.streamQuotes(wrong({ ...request, amount: 1n }))],
    ['pool: is not known; the name is poolId.', () => client.getPoolRates(wrong({ pool: bytes('2') }))],
    [
      'minnotional: is not known; the name is minNotional.',
      () => client.getQuoteMarketQuotes(wrong({ minnotional: 1n })),
    ],
    [
      'window: is not known; the name is submissionWindowSeconds.',
      () => checkExecutability(signed, wrong({ ...parameters, window: 1 })),
    ],
    ['maxTake: is not known; the name is maxTakes.', () => takeBest([], wrong({ ...take, maxTake: 1 }))],
    ['onPlanned: is not known; the name is onPlan.', () => takeBest([], wrong({ ...take, onPlanned() {} }))],
    ['maxAPR: is not known; the name is maxApr.', () => takeBest([], { ...take, limit: wrong({ maxAPR: 8 }) })],
    [
      'maxCost: is not known; the name is maxVrtAmount.',
      () => takeBest([], { ...take, limit: wrong({ maxCost: 8n }) }),
    ],
    [
      'permit: is not known; the name is permits.',
      () => oneTransaction(wrong({ borrower: maker, publicClient, permit: false })),
    ],
    ['maxcost: is not known; the name is maxCost.', () => takeQuoteParameters(signed, wrong({ maxcost: 1n }))],
    ['token: is not known; the name is loanToken.', () => approveParameters(wrong({ token: loanToken, amount: 1n }))],
    ['approve: is not known; the name is approved.', () => setOperatorParameters(wrong({ approve: false }))],
    ['quoteMarket: is not known; the name is quoteMarketAddress.', () => raiseNonceParameters(wrong({ quoteMarket }))],
    [
      'quoteMarket: is not known; the name is quoteMarketAddress.',
      () => cancelQuoteParameters(quote, wrong({ quoteMarket })),
    ],
    ['position: is not known; the name is positionId.', () => settleParameters(wrong({ position: 1n }))],
    ['positions: is not known; the name is positionIds.', () => settleManyParameters(wrong({ positions: [1n] }))],
    ['to: is not known;', () => withdrawParameters(wrong({ token: loanToken, to: maker }))],
    ['series: is not known; the name is seriesKey.', () => checkpointParameters(wrong({ series: bytes('3') }))],
    ['wallet: is not known; the name is walletClient.', () => proveTaker(client, wrong({ account: maker, wallet: 1 }))],
    ['socket: is not known; the name is socketPath.', () => new RfqDaemonClient(wrong({ socket: '/tmp/s' }))],
  ])('error: %s', async (words, call) => {
    expect(await read(call)).toMatch(words)
  })

  test('behavior: a name that may be a value is not repeated', async () => {
    const words = await read(() => client.getHealth(wrong({ [`${key}`]: 1 })))
    expect(words).toBe('options: is not known; there are signal, timeoutMs.')
  })

  test("behavior: a client's whole configuration may be spread where its addresses belong", () => {
    const config = client.getConfig()
    const options = { ...config, loanToken, allowance: 1n, amount: 2n }
    expect(approvalSteps(options)).toHaveLength(2)
    expect(settleParameters({ ...config, positionId: 1n }).address).toBe(config.interestRatePoolAddress)
    expect(takeQuoteParameters(signed, { ...config, maxCost: undefined }).address).toBe(config.quoteMarketAddress)
    expect(new RFQWebSocketClient({ ...config, ...socket }).isAuth()).toBe(false)
    expect(new BackerSigner(config).getAddress()).toBeNull()
  })

  test('behavior: callbacks may stand in an object with more than callbacks', () => {
    const events = { seen: [] as Hex[], count: 0, onRFQ() {} }
    expect(new RFQWebSocketClient(socket, events).isAuth()).toBe(false)
  })
})
