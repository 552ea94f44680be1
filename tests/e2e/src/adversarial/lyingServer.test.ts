import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { BaseError, toRfqId } from '@firmquote/core'
import { BorrowerClient, ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Hex } from 'viem'

// The attacker is the server itself. The attacker must send as many bytes as the client reads. Every SDK call must end
// with a typed error, within its timeout and in bounded memory.

const callMs = 2_000
const mebibyte = 2 ** 20
/** Allows for a 16 MiB response as bytes and as text, plus garbage from earlier calls. */
const mostMemory = 256 * mebibyte

const rfqId = toRfqId('ab'.repeat(16))
const bytes: Hex = `0x${'22'.repeat(32)}`
const address: Hex = `0x${'11'.repeat(20)}`
const request = { poolId: bytes, seriesKey: bytes, notional: 1_000n }
const signed = {
  maker: address,
  taker: address,
  poolId: bytes,
  seriesKey: bytes,
  notional: '1000',
  vrtAmount: '1',
  nonce: '0',
  deadline: '1900000000',
  salt: bytes,
  signature: `0x${'77'.repeat(65)}`,
} as const
const options = { timeoutMs: callMs }
const streamOptions = { ...options, idleTimeoutMs: callMs, resumeTimeoutMs: 0 }

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** All SDK calls that contact the service. */
const calls: Record<string, (client: ServiceClient) => Promise<unknown>> = {
  requestQuotes: (client) => client.requestQuotes(request, options),
  streamQuotes: (client) => readAll(client.streamQuotes(request, streamOptions)),
  followAuction: (client) => readAll(client.followAuction(rfqId, streamOptions)),
  getRfq: (client) => client.getRfq(rfqId, options),
  getRecentQuotes: (client) => client.getRecentQuotes({}, options),
  submitQuoteMarketQuote: (client) => client.submitQuoteMarketQuote(signed, options),
  getQuoteMarketQuotes: (client) => client.getQuoteMarketQuotes({}, options),
  getQuoteMarketQuote: (client) => client.getQuoteMarketQuote(bytes, options),
  getPoolRates: (client) => client.getPoolRates({}, options),
  getRateHistory: (client) => client.getRateHistory({ poolId: `0x${'11'.repeat(32)}` }, options),
  getMarkets: (client) => client.getMarkets(options),
  getPositions: (client) => client.getPositions(address, options),
  async getMakerQuotes(client) {
    client.setPrivateKey(`0x${'01'.repeat(32)}`)
    await client.getMakerQuotes({}, options)
  },
  async getMakerOutcomes(client) {
    client.setPrivateKey(`0x${'01'.repeat(32)}`)
    await client.getMakerOutcomes({}, options)
  },
  getHealth: (client) => client.getHealth(options),
  getServiceConfig: (client) => client.getServiceConfig(options),
  async connectWebSocket(client) {
    client.setPrivateKey(`0x${'01'.repeat(32)}`)
    await client
      .connectWebSocket({}, { signal: AbortSignal.timeout(callMs) })
      .finally(() => client.disconnectWebSocket())
  },
}
const own = new Set(['constructor', 'getConfig', 'setPrivateKey', 'setAccount', 'getAddress', 'getSigner'])
for (const name of ['signQuoteMarketQuote', 'getWebSocketClient', 'disconnectWebSocket']) own.add(name)

let server: Worker
let url: string
let lies: readonly string[]
beforeAll(async () => {
  server = new Worker(new URL('./lyingServer.ts', import.meta.url))
  const [told] = await once(server, 'message')
  ;({ url, lies } = told as { url: string; lies: readonly string[] })
})
afterAll(async () => {
  await server.terminate()
})

test('default: covers every call that contacts the service', () => {
  const all = [ServiceClient, BorrowerClient].flatMap((client) => Object.getOwnPropertyNames(client.prototype))
  const methods = [...new Set(all)].filter((name) => !own.has(name))
  expect(Object.keys(calls).sort()).toEqual(methods.sort())
})

test("error: regardless of the server's behavior, each call ends with a typed error, in bounded time and memory", async () => {
  const memory = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = memory()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, memory())
  }, 10)
  watching.unref()
  let slowest = { ms: 0, name: '' }
  const codes: Record<string, Set<string>> = {}
  for (const lie of lies) {
    const client = new ServiceClient({ orderbookUrl: `${url}/${lie}` })
    const ask = async (name: string) => {
      const askedAt = performance.now()
      const error = await calls[name]?.(client).then(
        () => `${name} of ${lie} was answered`,
        (thrown: unknown) => thrown,
      )
      const ms = performance.now() - askedAt
      if (ms > slowest.ms) slowest = { ms, name: `${name} of ${lie}` }
      expect(error).toBeInstanceOf(BaseError)
      codes[lie] = (codes[lie] ?? new Set()).add((error as BaseError).code)
    }
    // Endless waits take only time. Endless data uses memory, so it is tested with one call at a time. Only calls that
    // return an auction's result can receive contradictory data.
    const names = lie === 'contradictions' ? ['getRfq', 'requestQuotes'] : Object.keys(calls)
    if (lie.startsWith('endless')) for (const name of names) await ask(name)
    else await Promise.all(names.map(ask))
  }
  clearInterval(watching)
  const grown = Math.round((most - before) / mebibyte)
  process.stdout.write(
    `lyingServer: ${lies.length} lies to ${Object.keys(calls).length} calls; slowest ${Math.round(slowest.ms)} ms ` +
      `(${slowest.name}), memory grew by ${grown} MiB at most\n`,
  )
  expect(slowest.ms).toBeLessThan(4 * callMs)
  expect(most - before).toBeLessThan(mostMemory)
  for (const lie of lies) {
    for (const code of codes[lie] ?? []) {
      expect(['CONNECTION_FAILED', 'INVALID_RESPONSE', 'STREAM_INTERRUPTED', 'TIMEOUT', 'ABORTED']).toContain(code)
    }
  }
}, 240_000)
