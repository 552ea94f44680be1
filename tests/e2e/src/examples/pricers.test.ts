import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { quoteApr } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { stopAfter } from '../stopAfter.ts'
import { killTerminals, openTerminal } from '../terminal.ts'
import { exampleCommands } from './exampleCommands.ts'

let stack: Stack
let prices: Server
const started = stopAfter(afterAll)
beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '10000' }))
  started({ stop: killTerminals })
  // A test server that replaces the maker's price service.
  prices = createServer((_request, response) => {
    response.end(JSON.stringify({ asOf: Math.floor(Date.now() / 1_000), bps: 777 }))
  }).listen(0, '127.0.0.1')
  await once(prices, 'listening')
  started({ stop: () => prices.close() })
}, 60_000)
test("default: a daemon quotes the expected rate with each pricer, and the README's dry run prints its price", async () => {
  const { devnet, folder, url } = stack
  const curve = join(folder, 'curve.json')
  const points = [{ days: 1, bps: 666 }]
  writeFileSync(
    curve,
    JSON.stringify({ updatedAt: Math.floor(Date.now() / 1_000), points, sizes: [{ from: 1, bps: 4 }] }),
  )
  const settings: Record<string, Record<string, string>> = {
    'spread.mjs': { SPREAD_BPS: '35' },
    'curve.mjs': { REFERENCE_CURVE: curve, MARGIN_BPS: '10' },
    'priceService.mjs': { PRICE_URL: `http://127.0.0.1:${(prices.address() as AddressInfo).port}/rate` },
  }
  const makers = Object.entries(settings).map(([name, environment], at) => {
    const account = devnet.backers[at as 0]
    const options = { account, folder: join(folder, name), spreadBps: 0, environment }
    const daemon = started(startDaemon(stack, { ...options, pricer: join(root, 'examples/pricers', name) }))
    return { account, ready: daemon.says(/^ready /m) }
  })
  const [command] = exampleCommands('pricers')
  const dryRun = openTerminal(command, root, {
    FIRMQUOTE_SERVICE_URL: url,
    FIRMQUOTE_RPC_URL: devnet.rpcUrl,
    FIRMQUOTE_SOCKET: join(folder, 'dry.sock'),
    // This chain mines only when there are transactions, so its latest block may be old.
    FIRMQUOTE_MAX_BLOCK_AGE_SECONDS: '36000',
  })
  await Promise.all([dryRun.shows(/^ready /m), ...makers.map(({ ready }) => ready)])

  const [{ poolId, series }] = devnet.pools
  const client = new ServiceClient({ orderbookUrl: url })
  const [pool] = await client.getPoolRates()
  const notional = 250_000_000_000n
  const seriesKey = series[2]?.seriesKey ?? poolId
  const aprs = new Map<string, number>()
  for await (const { type, data } of client.streamQuotes({ poolId, seriesKey, notional })) {
    if (type === 'quote') aprs.set(data.quote.maker, data.apr)
    if (aprs.size === makers.length) break
  }
  const [bySpread = 0, byCurve, byService] = makers.map(({ account }) => aprs.get(account.address))
  const floating = pool?.floating.apr ?? 0
  // The rate is rounded up to a hundredth of a percent.
  expect(Math.abs(bySpread - (floating + 0.35))).toBeLessThan(0.011)
  expect(byCurve).toBeCloseTo(6.8, 3)
  expect(byService).toBeCloseTo(7.77, 3)

  const [line] = await dryRun.shows(/^.*"msg":"would quote".*$/m)
  const told = JSON.parse(line) as { notional: string; vrtAmount: string; time: string }
  expect(told.notional).toBe(String(notional))
  const apr = quoteApr(
    { notional, vrtAmount: BigInt(told.vrtAmount) },
    series[2]?.expiry ?? 0,
    Date.parse(told.time) / 1_000,
  )
  expect(Math.abs(apr - (floating + 0.25))).toBeLessThan(0.011)
}, 60_000)
