import { once } from 'node:events'
import { get } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type { RFQRequest } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { startBacker } from '../plannedBacker.ts'

// The honest users of a hostile fixture: a thread of its own, started with a HonestSetup. It posts a HonestReport whenever something
// has happened. A message ends it: it opens no more auctions, lets the open ones end, and posts the last report.

/** What the honest users are started with. */
export type HonestSetup = {
  /** Of the servers: the backer is connected to the first; each auction is asked for at the next one, and so is `/livez`. */
  urls: readonly string[]
  backer: DevnetAccount
  request: RFQRequest
  everyMs: number
}

/** One auction of the honest borrower. Times are milliseconds since it was asked for; null: that never came. */
export type HonestAuction = {
  startedMs: number | null
  /** The first quote. */
  quotedMs: number | null
  quotes: number
  doneMs: number | null
  error: string | null
}

/** What the honest users have seen so far. */
export type HonestReport = {
  /** Oldest first. */
  auctions: HonestAuction[]
  /** Milliseconds until `/livez` has answered; an answer that is not 200 counts as `Infinity`. */
  livezMs: number[]
  /** The same of a bare HTTP server, asked at the same moments: what the machine itself makes of it. */
  bareMs: number[]
  /** Why the honest backer's quotes for the honest borrower were not accepted. */
  refusals: string[]
}

/** Milliseconds between two requests for `/livez`, each by a connection of its own. */
const livezEveryMs = 50

const { urls, backer: account, request, everyMs } = workerData as HonestSetup
const report: HonestReport = { auctions: [], livezMs: [], bareMs: [], refusals: [] }
const tell = () => parentPort?.postMessage(report)
const urlOf = (turn: number) => urls[turn % urls.length] ?? ''

/** Asks for quotes and reads the stream to its end, as the SDK does it for anyone. */
async function ask(): Promise<void> {
  const askedAt = performance.now()
  const auction: HonestAuction = { startedMs: null, quotedMs: null, quotes: 0, doneMs: null, error: null }
  const client = new ServiceClient({ orderbookUrl: urlOf(report.auctions.push(auction)) })
  try {
    for await (const { type } of client.streamQuotes(request)) {
      const ms = performance.now() - askedAt
      if (type === 'started') auction.startedMs = ms
      if (type === 'done') auction.doneMs = ms
      if (type === 'quote') {
        auction.quotedMs ??= ms
        auction.quotes += 1
      }
      tell()
    }
  } catch (error) {
    auction.error = String(error)
  }
  tell()
}

/** Milliseconds until an answer of 200; Infinity when there is none within 20 s. */
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

// A refusal that stays is the borrower's to measure: it gets no quote.
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
  // By address: looking a name up waits for threads of this process, which is not what is measured.
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
