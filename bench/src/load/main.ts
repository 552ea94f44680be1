// `npm run load`: backers and borrowers against a running server, or one of its own. Exits with 1 when a quote
// got no answer, an auction broke off or a backer was cut off.
import { parseArgs } from 'node:util'
import { fetchForeignServer } from './foreignServer.ts'
import { isFlawless, printLoad } from './printLoad.ts'
import { runLoad } from './runLoad.ts'
import { watchMetrics, watchProbe } from './serverFigures.ts'
import { startLoadStand } from './serverProbe.ts'

const usage = `Usage: npm run load -- [options]

Runs backers and borrowers against a server, and prints their latencies.

  --backers N      how many backers answer every RFQ (200)
  --borrowers N    how many borrowers open one auction after the other (20)
  --seconds N      for how long (60)
  --auction-ms N   how long an auction is open, on a server of its own (5000)
  --url URL        a running server; without it one is started, on a chain of its own with funded backers
  --keys FILE      private keys of funded backers, one a line; needed with --url
`

/** The messages that one socket may send in ten seconds, less those that pings need. */
const quotesPerSocket = 180

const ending = new AbortController()
let askedAt = 0
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // One Ctrl-C comes twice: from the terminal, and from the program that started this one.
    if (ending.signal.aborted && performance.now() - askedAt < 500) return
    if (ending.signal.aborted) process.exit(130)
    askedAt = performance.now()
    progress('ending: the auctions that are open are waited for; once more ends at once')
    ending.abort()
  })
}
// Gone with the program that started it.
process.once('disconnect', () => process.exit(1))

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
// The channel to the program that started this one would keep it alive.
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
  const target = await findTarget(values.url, values.keys, backers, whole('auction-ms', values['auction-ms']))
  try {
    const perSocket = (borrowers * 10_000) / target.auctionMs
    if (perSocket > quotesPerSocket) {
      throw new TypeError(
        `${borrowers} borrowers with auctions of ${target.auctionMs} ms ask each backer ${Math.round(perSocket)} times in ten seconds; a socket may send ${quotesPerSocket}. Take fewer borrowers or longer auctions.`,
      )
    }
    progress(
      `${backers} backers, ${borrowers} borrowers, auctions of ${target.auctionMs} ms, ${seconds} s, ${target.url}`,
    )
    const watch = await target.watch()
    const result = await runLoad({ ...target, borrowers, seconds, signal: ending.signal, progress })
    process.stdout.write(`\n${printLoad(result, await watch())}\n`)
    return isFlawless(result) ? 0 : 1
  } finally {
    await target.stop()
  }
}

async function findTarget(url: string | undefined, keys: string | undefined, backers: number, auctionMs: number) {
  if (url !== undefined) {
    const server = await fetchForeignServer(url.replace(/\/+$/, ''), { keys, backers })
    return { ...server, watch: () => watchMetrics(server.url), stop: async () => {} }
  }
  progress('starting a chain, funding the backers, starting the server')
  const stand = await startLoadStand({ makers: backers, auctionMs })
  return { ...stand, watch: () => watchProbe(stand.probe) }
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new TypeError(`--${name} must be a whole number above zero.`)
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
