// `npm run load` runs backers and borrowers against a running server, or one that it starts. Exits with status 1 if a
// quote is not answered, a stream breaks or a backer is disconnected.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { createParticipants, type ParticipantsOptions } from '../clients/createParticipants.ts'
import { type Percentiles, percentilesOf } from '../figures.ts'
import { type Program, startFixture } from '../fixture/startFixture.ts'
import { fetchServer } from './fetchServer.ts'

const usage = `Usage: npm run load -- [options]

Runs backers and borrowers against a server, and prints their latencies.

  --backers N      number of backers, which answer every RFQ (200)
  --borrowers N    number of borrowers, each opening one auction after another (20)
  --seconds N      duration of the load (60)
  --auction-ms N   duration of an auction if --url is not given (5000)
  --url URL        a running server whose clock is in sync with this machine's; by default, starts a server with its own
                   chain and funded backers
  --keys FILE      private keys of funded backers, one per line; required with --url
`

/** A socket's message limit per ten seconds, minus the messages needed for pings. */
const quotesPerSocket = 180
/** Timeout for the answers to the last quotes, in milliseconds. */
const settleMs = 10_000

/** The load's target. `server` is set if this program started it. */
type Target = ParticipantsOptions & { auctionMs: number; server?: Program }

const ending = new AbortController()
let askedAt = 0
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A single Ctrl-C arrives twice, from the terminal and from the parent process.
    if (ending.signal.aborted && performance.now() - askedAt < 500) return
    if (ending.signal.aborted) process.exit(130)
    askedAt = performance.now()
    progress('stopping after the open auctions end; press Ctrl-C again to stop immediately')
    ending.abort()
  })
}
// Exits with the parent process.
process.once('disconnect', () => process.exit(1))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
// Unreferenced, because otherwise the parent's IPC channel would keep this process alive.
process.channel?.unref()

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      backers: { type: 'string', default: '200' },
      borrowers: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '60' },
      'auction-ms': { type: 'string', default: '5000' },
      url: { type: 'string' },
      keys: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const backers = whole('backers', values.backers)
  const borrowers = whole('borrowers', values.borrowers)
  const seconds = whole('seconds', values.seconds)
  const auctionMs = whole('auction-ms', values['auction-ms'])
  if (values.url !== undefined) {
    const target = await fetchServer(values.url.replace(/\/+$/, ''), backers, values.keys)
    return runLoad(target, borrowers, seconds)
  }
  progress('starting a chain and a server, and funding the backers')
  await using fixture = await startFixture(backers, { AUCTION_DURATION_MS: String(auctionMs) })
  const { url, wsUrl } = fixture.server
  return await runLoad({ ...fixture, urls: [url], wsUrls: [wsUrl], auctionMs }, borrowers, seconds)
}

/** Each borrower opens one auction after another, and the backers answer all auctions. */
async function runLoad(target: Target, borrowers: number, seconds: number): Promise<number> {
  const { auctionMs, makers, urls, server } = target
  const perSocket = (borrowers * 10_000) / auctionMs
  if (perSocket > quotesPerSocket) {
    throw new TypeError(
      `${borrowers} borrowers with auctions of ${auctionMs} ms require ${Math.round(perSocket)} quotes per backer in ten seconds, but a socket may send only ${quotesPerSocket}. Use fewer borrowers or longer auctions.`,
    )
  }
  progress(`${makers.length} backers, ${borrowers} borrowers, auctions of ${auctionMs} ms, ${seconds} s, ${urls}`)
  await using participants = await createParticipants(target)
  const { acknowledgement, fanOut, close, verdicts, refused, failures } = participants.figures
  await server?.call('reset')
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  const borrow = async () => {
    while (!ending.signal.aborted && elapsed() < seconds) {
      const end = await participants.requestQuotes()
      const pauseMs = end.outcome === 'refused' ? end.retryAfterMs : end.outcome === 'broken' ? 1_000 : 0
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  const ticking = setInterval(() => {
    progress(`${Math.round(elapsed())} s: ${close.length} auctions, ${acknowledgement.length} quotes answered`)
  }, 5_000)
  await Promise.all(Array.from({ length: borrowers }, borrow))
  clearInterval(ticking)
  const unanswered = await participants.settle(settleMs)
  const rate = Math.round(acknowledgement.length / elapsed())
  const rows = [
    rowOf('acknowledgement (quote sent -> verdict)', percentilesOf(acknowledgement)),
    rowOf('fan-out (RFQ posted -> at a backer)', percentilesOf(fanOut)),
    rowOf('close (promised -> done)', percentilesOf(close)),
    ...(server ? [rowOf("server's event-loop delay", await server.call('delay'))] : []),
  ]
  const lines = [
    `\n${close.length} auctions and ${acknowledgement.length} answered quotes in ${elapsed().toFixed(1)} s (${rate} quotes per second)\n`,
    `${markdownTable([['ms', 'count', 'p50', 'p95', 'p99', 'max'], ...rows])}\n`,
    `verdicts: ${listed(verdicts)}`,
    ...(refused.size > 0 ? [`rejected RFQs: ${listed(refused)}`] : []),
    ...(failures.size > 0 ? [`DISCONNECTED: ${listed(failures)}`] : []),
    unanswered === 0 ? 'every quote was answered' : `UNANSWERED QUOTES: ${unanswered}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return unanswered === 0 && failures.size === 0 && close.length > 0 ? 0 : 1
}

function rowOf(name: string, { count, p50, p95, p99, max }: Percentiles): string[] {
  return [name, ...(count === 0 ? [] : [String(count), ...[p50, p95, p99, max].map((value) => value.toFixed(2))])]
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new TypeError(`--${name} must be a positive integer.`)
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
