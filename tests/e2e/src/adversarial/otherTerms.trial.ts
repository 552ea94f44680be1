// The attacker is a service that runs the borrower's auction on other, more expensive terms: it forwards the request to
// honest makers with another series, pool or amount, and alters the answer to match the request. The attack requires a
// domain and a borrower who uses it, but nothing on-chain. An honest service serves the same borrower with the same
// command, whose target expiry is earlier than that of the nearest series.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { interestRatePoolAbi } from '@firmquote/core'
import { ServiceClient, takeBest } from '@firmquote/sdk'
import { startHttpServer } from '@firmquote/test-support/httpServer'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterEach, expect, test } from '@jest/globals'
import { type Address, parseEventLogs } from 'viem'
import { root } from '../pack.ts'
import { costOf, startBacker } from '../plannedBacker.ts'
import { quantile } from '../quantile.ts'
import { stopAfter } from '../stopAfter.ts'

const run = promisify(execFile)
/** The notional requested by the borrower example: 250,000 tUSD. */
const notional = 250_000_000_000n
const maxApr = 12

const started = stopAfter(afterEach)

/** The terms that the service requests from makers instead, and how it alters the text of its answers. */
type Lie = { asks: Partial<Record<'poolId' | 'seriesKey' | 'notional', string>>; answer?: (text: string) => string }

/** Returns the lies told to a borrower who wants the first pool's third series. */
function liesOf({ devnet: { pools } }: Stack): Record<string, Lie> {
  const [{ poolId, series }, other] = pools
  const [, , wanted, , later] = series
  const [, , otherWanted] = other.series
  if (!wanted || !later || !otherWanted) throw new TypeError('The devnet has too few series.')
  const inLater = { seriesKey: later.seriesKey }
  const inOther = { poolId: other.poolId, seriesKey: otherWanted.seriesKey }
  const tenfold = { notional: String(10n * notional) }
  const swap = (...pairs: [from: string | number, to: string | number][]) => {
    return (text: string) => pairs.reduce((changed, [from, to]) => changed.replaceAll(String(from), String(to)), text)
  }
  const named = (expiry: number) => swap([wanted.seriesKey, later.seriesKey], [later.expiry, expiry])
  const renamed = swap([other.poolId, poolId], [otherWanted.seriesKey, wanted.seriesKey])
  return {
    'hides the earlier series': {
      asks: inLater,
      answer: swap(...series.slice(0, 4).map(({ expiry }): [number, number] => [expiry, 1_700_000_000])),
    },
    'gives a later series the expiry of the nearest one': { asks: inLater, answer: named(wanted.expiry) },
    // Displayed as dates, both look the same.
    'gives a later series an expiry on the same day': { asks: inLater, answer: named(wanted.expiry + 3_600) },
    'auctions a later series': { asks: inLater },
    'auctions a later series, and renames it': {
      asks: inLater,
      answer: swap([later.seriesKey, wanted.seriesKey], [later.expiry, wanted.expiry]),
    },
    'auctions another pool': { asks: inOther },
    'auctions another pool, and renames it': {
      asks: inOther,
      answer(text) {
        if (!text.startsWith('{"pools":')) return renamed(text)
        const rates = JSON.parse(text) as { pools: { poolId: string }[] }
        return renamed(JSON.stringify({ pools: rates.pools.filter((pool) => pool.poolId === other.poolId) }))
      },
    },
    'auctions ten times the amount': { asks: tenfold },
    'auctions ten times the amount, and hides it': {
      asks: tenfold,
      answer: (text) => text.replace(`"notional":"${tenfold.notional}"`, `"notional":"${notional}"`),
    },
    'auctions ten times the amount, and hides it in the quotes as well': {
      asks: tenfold,
      answer: swap([`"notional":"${tenfold.notional}"`, `"notional":"${notional}"`]),
    },
  }
}

/** Starts a service that forwards requests to an honest one and lies to the borrower. */
async function startLyingService(honestUrl: string, nearest: string, { asks, answer = (text) => text }: Lie) {
  const service = await startHttpServer(
    async ({ method, path, body }, response) => {
      const init: RequestInit = { method, headers: { 'content-type': 'application/json' } }
      if (method === 'POST') {
        const { expiry: _, ...terms } = JSON.parse(body) as Record<string, unknown>
        init.body = JSON.stringify({ ...terms, seriesKey: nearest, ...asks })
      }
      const real = await fetch(`${honestUrl}${path}`, init)
      response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' })
      response.end(answer(await real.text()))
    },
    { servesConfig: true },
  )
  return { url: service.url, stop: () => service.close() }
}

test('behavior: no service takes a borrower to other terms, and the honest one still serves the nearest series', async () => {
  const stack = started(await startStack({ AUCTION_DURATION_MS: '1500', RFQS_PER_MINUTE: '1000', OPEN_RFQS: '100' }))
  const { devnet, url } = stack
  const [{ poolId, series }] = devnet.pools
  const seriesKey = series[2]?.seriesKey ?? poolId
  // The third series is the first to end after this target expiry.
  const expiry = (series[2]?.expiry ?? 0) - 3 * 86_400
  for (const maker of devnet.backers) {
    started(await startBacker(url, maker, { quote: (rfq) => ({ vrtAmount: costOf(rfq, rfq.notional, 600n) }) }))
  }
  const positionsOf = async (borrower: Address) => {
    const logs = await devnet.publicClient.getLogs({ address: devnet.contracts.interestRatePool, fromBlock: 0n })
    const opened = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs })
    return opened.map(({ args }) => args).filter((position) => position.borrower === borrower)
  }
  const cli = async (serviceUrl: string, privateKey: string) => {
    const args = `rfq --pool ${poolId} --expiry ${expiry} --notional 250k --max-apr ${maxApr} --take`.split(' ')
    const env = {
      ...startingEnvironment(),
      PATH: process.env['PATH'],
      FIRMQUOTE_URL: serviceUrl,
      FIRMQUOTE_RPC_URL: devnet.rpcUrl,
      FIRMQUOTE_PRIVATE_KEY: privateKey,
    }
    return run(process.execPath, [programOf('cli'), ...args], { env }).then(
      ({ stdout }) => ({ isRefused: false, says: stdout.trim().split('\n').at(-1) ?? '' }),
      (error: { stderr: string }) => ({ isRefused: true, says: error.stderr.trim().split('\n')[0] ?? '' }),
    )
  }
  /** Runs the borrower example, which grants permissions itself. */
  const example = async (serviceUrl: string) => {
    const file = join(root, 'examples/borrower/borrow.mjs')
    const args = [file, serviceUrl, devnet.rpcUrl, poolId, String(expiry), String(maxApr)]
    const { stdout, stderr } = await run(process.execPath, args).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const taken = await positionsOf(devnet.newcomers[3].address)
    const lines = `${stdout}${stderr}`.split('\n')
    const says = lines.findLast((line) => /^(\w*Error:|skipped|success)/.test(line)) ?? lines.at(-2) ?? ''
    return { isRefused: taken.length === 0, says }
  }
  /** Uses the SDK, with the latest expiry that the borrower accepts. */
  const sdk = async (serviceUrl: string, borrower: Address) => {
    let sent = 0
    try {
      const client = new ServiceClient({ orderbookUrl: serviceUrl })
      const result = await client.requestQuotes({ poolId, notional, expiry })
      const { plan } = await takeBest(result.quotes, {
        request: { poolId, expiry, notional, seriesKey: result.seriesKey, latestExpiry: expiry + 7 * 86_400 },
        limit: { maxApr },
        borrower,
        publicClient: devnet.publicClient,
        async send() {
          sent += 1
          throw new TypeError('A lying service gets no transaction.')
        },
      })
      return { isRefused: sent === 0, says: plan.refused[0]?.reason ?? 'There are no quotes.' }
    } catch (error) {
      return { isRefused: sent === 0, says: (error as Error).message.split('\n')[0] ?? '' }
    }
  }

  const [victim, honest] = devnet.borrowers
  const honestMs: number[] = []
  for (const [name, lie] of Object.entries(liesOf(stack))) {
    const service = started(await startLyingService(url, seriesKey, lie))
    const askedAt = performance.now()
    const serve = async () => {
      const served = await cli(url, honest.privateKey)
      honestMs.push(performance.now() - askedAt)
      return served
    }
    const [byCli, bySdk, byExample, served] = await Promise.all([
      cli(service.url, victim.privateKey),
      sdk(service.url, victim.address),
      example(service.url),
      serve(),
    ])
    const says = `CLI: ${byCli.says}\n  SDK: ${bySdk.says}\n  example: ${byExample.says}\n  honest: ${served.says}`
    process.stdout.write(`other terms: a service that ${name}:\n  ${says}\n`)
    const refused = { cli: byCli.isRefused, sdk: bySdk.isRefused, example: byExample.isRefused }
    expect(refused).toEqual({ cli: true, sdk: true, example: true })
    expect(served.isRefused).toBe(false)
    expect(await positionsOf(victim.address)).toEqual([])
    const expected = honestMs.map(() => ({ poolId, seriesKey, notional }))
    expect(await positionsOf(honest.address)).toMatchObject(expected)
  }
  process.stdout.write(
    `other terms: ${honestMs.length} of ${honestMs.length} honest borrowers fixed the nearest series, in p99 ` +
      `${Math.round(quantile(honestMs, 0.99))} ms; no transaction of a victim\n`,
  )
}, 180_000)
