import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { RFQRequest } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import type { Address } from 'viem'
import { startBacker } from '../plannedBacker.ts'

// The honest users of an adversarial fixture, in a separate thread started with a HonestSetup. The thread posts a
// HonestReport after each event. When the honest users receive a message, they stop opening auctions, wait for the open
// ones to end, and post the final report.

/** Options for the honest users. */
export type HonestSetup = {
  /**
   * The servers' URLs. The backer connects to the first server. Auctions and `/livez` requests cycle through all
   * servers.
   */
  urls: readonly string[]
  backer: DevnetAccount
  request: RFQRequest
  everyMs: number
}

/**
 * One of the honest borrower's auctions. Times are in milliseconds since the auction was requested; null if an event
 * never arrived.
 */
export type HonestAuction = {
  startedMs: number | null
  /** When the first quote arrived. */
  quotedMs: number | null
  quotes: number
  doneMs: number | null
  error: string | null
  /** Whether the service verified the taker; null before the auction started. */
  verified: boolean | null
  /** How long the attackers' thread waited for a processor during the auction. The server had to wait as well. */
  waitedMs: number
  /** The makers of the quotes. */
  makers: Address[]
  /** The choice of quotes at the close: their total notional and cost in raw units. */
  best: { notional: bigint; cost: bigint } | null
}

/** The honest users' results so far. */
export type HonestReport = {
  /** Oldest first. */
  auctions: HonestAuction[]
  /** Response times of `/livez` in milliseconds; `Infinity` for any status other than 200. */
  livezMs: number[]
  /** Response times of a minimal HTTP server at the same times, as a baseline for the machine. */
  bareMs: number[]
  /** Reasons why the honest backer's quotes for the honest borrower were rejected. */
  refusals: string[]
}

/** Milliseconds between `/livez` requests. Each request uses a new connection. */
const livezEveryMs = 50

const { urls, backer: account, request, everyMs } = workerData as HonestSetup
const report: HonestReport = { auctions: [], livezMs: [], bareMs: [], refusals: [] }
const tell = () => parentPort?.postMessage(report)
const urlOf = (turn: number) => urls[turn % urls.length] ?? ''

/** Milliseconds for which this process's main thread has waited for a processor; zero on other systems than Linux. */
function readWaitedMs(): number {
  const file = '/proc/self/schedstat'
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : 0
}

/** Requests quotes through the SDK and reads the stream to the end. */
async function ask(): Promise<void> {
  const askedAt = performance.now()
  const auction: HonestAuction = {
    ...{ startedMs: null, quotedMs: null, quotes: 0, doneMs: null, error: null },
    ...{ verified: null, waitedMs: 0, makers: [], best: null },
  }
  const client = new ServiceClient({ orderbookUrl: urlOf(report.auctions.push(auction)) })
  const waitedBefore = readWaitedMs()
  try {
    for await (const event of client.streamQuotes(request)) {
      const ms = performance.now() - askedAt
      if (event.type === 'started') {
        auction.startedMs = ms
        auction.verified = event.data.takerVerified ?? false
      }
      if (event.type === 'done') {
        auction.doneMs = ms
        auction.best = event.data.best ?? null
      }
      if (event.type === 'quote') {
        auction.quotedMs ??= ms
        auction.quotes += 1
        auction.makers.push(event.data.quote.maker)
      }
      tell()
    }
  } catch (error) {
    auction.error = String(error)
  }
  auction.waitedMs = readWaitedMs() - waitedBefore
  tell()
}

/** Measures the milliseconds until a 200 response. Returns Infinity if no such response arrives within 20 s. */
async function probe(url: string): Promise<number> {
  const askedAt = performance.now()
  try {
    const [answer] = await once(get(url, { agent: false, signal: AbortSignal.timeout(20_000) }), 'response')
    await once(answer.resume(), 'end')
    return answer.statusCode === 200 ? performance.now() - askedAt : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const bareServer = `
  const { createServer } = require('node:http')
  const server = createServer((_, res) => res.end())
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))
`
const bare = new Worker(bareServer, { eval: true })
const [barePort] = await once(bare, 'message')

// If the server rejects the backer permanently, the test notices that the borrower's results lack a quote.
const backer = await startBacker(urlOf(0), account, {
  quote: ({ notional, closesAt }) => ({
    vrtAmount: notional / 100n,
    deadline: BigInt(Math.ceil(closesAt / 1_000) + 120),
  }),
  onVerdict(verdict, { notional }) {
    if (verdict.status === 'rejected' && notional === request.notional) report.refusals.push(verdict.code)
  },
  onFailure(error, { notional }) {
    if (notional === request.notional) report.refusals.push(String(error))
  },
})
tell()
const asks = [ask()]
const asking = setInterval(() => asks.push(ask()), everyMs)
const probes: Promise<unknown>[] = []
const probing = setInterval(() => {
  // Uses the IP address, since name resolution waits for this process's thread pool and must not be measured.
  const livez = probe(`${urlOf(probes.length).replace('localhost', '127.0.0.1')}/livez`)
  const bare = probe(`http://127.0.0.1:${barePort}`)
  probes.push(Promise.all([livez.then((ms) => report.livezMs.push(ms)), bare.then((ms) => report.bareMs.push(ms))]))
}, livezEveryMs)

parentPort?.once('message', async () => {
  clearInterval(asking)
  await Promise.all(asks)
  clearInterval(probing)
  await Promise.all(probes)
  backer.stop()
  await bare.terminate()
  tell()
})
