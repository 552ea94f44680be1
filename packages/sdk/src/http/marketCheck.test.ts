import type { ServerResponse } from 'node:http'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { sendJson, sendProblem, startHttpServer } from '@firmquote/test-support/httpServer'
import { afterEach, expect, test } from '@jest/globals'
import { key, quote } from '../../test/samples.ts'
import { serviceConfig } from '../../test/serviceConfig.ts'
import type { ServiceClientOptions } from '../borrowerClient.ts'
import { ServiceClient } from '../serviceClient.ts'

const other = '0x2222222222222222222222222222222222222222'
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Starts a service with a scripted configuration. `count` is the number of requests for it so far. */
async function start(
  answer: (response: ServerResponse, count: number) => unknown,
  { config = {}, ...options }: ServiceClientOptions & { config?: object } = {},
) {
  let count = 0
  const server = await startHttpServer(
    ({ path }, response) => {
      if (path === '/api/v1/config') {
        count += 1
        answer(response, count)
      } else sendJson(response, 200, { rates: [] })
    },
    { servesConfig: true },
  )
  closers.push(server.close)
  const client = new ServiceClient({ orderbookUrl: server.url, ...config }, { random: () => 0, ...options })
  return { client, seen: () => server.seen.map(({ path }) => path.replace('/api/v1/', '')) }
}

const answerConfig = (response: ServerResponse) => sendJson(response, 200, serviceConfig)

test('default: asks once, before the first calls', async () => {
  const { client, seen } = await start(answerConfig)
  await Promise.all([client.getMarkets(), client.getMarkets()])
  await client.getMarkets()
  expect(seen()).toEqual(['config', 'rates/current', 'rates/current', 'rates/current'])
})

test('behavior: does not ask without a call', async () => {
  const { client, seen } = await start(answerConfig)
  client.setPrivateKey(key)
  await client.signQuoteMarketQuote(quote)
  await client.getSigner().signReadAuthorization('wss://rfq.example/ws/rfq')
  client.getConfig()
  expect(seen()).toEqual([])
})

test('error: every call fails except the diagnostic ones', async () => {
  const { client, seen } = await start(answerConfig, { config: { quoteMarketAddress: other } })
  const wrong = { code: 'INVALID_INPUT', path: 'quoteMarketAddress' }
  await expect(client.getMarkets()).rejects.toMatchObject(wrong)
  await expect(client.getMarkets()).rejects.toMatchObject(wrong)
  expect(seen()).toEqual(['config'])
  expect(await client.getServiceConfig()).toMatchObject({ chainId: 8453 })
  await expect(client.getHealth()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  expect(seen()).toEqual(['config', 'config', 'health'])
})

test.each<[string, (response: ServerResponse) => unknown]>([
  ['does not know the endpoint', (response) => sendProblem(response, 404, 'NOT_FOUND')],
  ['blocks the endpoint', (response) => response.writeHead(403).end('<html>')],
  ['has an earlier configuration', (response) => sendJson(response, 200, { chainId: 1 })],
])('behavior: continues if the service %s, and does not ask again', async (_what, answer) => {
  const { client, seen } = await start(answer)
  await client.getMarkets()
  await client.getMarkets()
  expect(seen()).toEqual(['config', 'rates/current', 'rates/current'])
})

test.each<[string, (response: ServerResponse) => unknown]>([
  ['a broken connection', (response) => response.destroy()],
  ["a proxy's 502", (response) => response.writeHead(502).end('<html>')],
  ['503 with Retry-After', (response) => sendProblem(response, 503, 'OVERLOADED', {}, { 'retry-after': '1' })],
])('behavior: asks again on the next call after %s', async (_what, fail) => {
  const { client, seen } = await start((response, count) => (count === 1 ? fail(response) : answerConfig(response)), {
    config: { chainId: 1 },
  })
  expect(await client.getMarkets()).toEqual([])
  await expect(client.getMarkets()).rejects.toMatchObject({ path: 'chainId' })
  expect(seen()).toEqual(['config', 'rates/current', 'config'])
})

test('error: aborting one call ends it at once, and not the check of another', async () => {
  const controller = new AbortController()
  const open: ServerResponse[] = []
  const { client, seen } = await start((response) => {
    open.push(response)
    controller.abort('enough')
  })
  const aborted = client.getMarkets({ signal: controller.signal })
  const waiting = client.getMarkets()
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED', sent: 'no', cause: 'enough' })
  for (const response of open) answerConfig(response)
  expect(await waiting).toEqual([])
  expect(seen()).toEqual(['config', 'rates/current'])
})

test("error: a configuration that never arrives counts towards the call's timeout, once", async () => {
  const clock = createFakeClock()
  const { client, seen } = await start(() => clock.advance(1_000), { clock, timeoutMs: 1_000 })
  await expect(client.getMarkets()).rejects.toMatchObject({ code: 'TIMEOUT', sent: 'no' })
  expect(await client.getMarkets()).toEqual([])
  expect(seen()).toEqual(['config', 'rates/current'])
  expect(clock.pending()).toBe(0)
})
