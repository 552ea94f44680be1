import { setTimeout as sleep } from 'node:timers/promises'
import { inRounds } from '../compare.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Row, RowContext } from '../row.ts'
import { connectBackers } from '../stand/backers.ts'
import { createBorrower, requestQuotes } from '../stand/borrower.ts'
import { type ProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { signAnswers } from '../stand/signQuotes.ts'
import { type ClusterStand, missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const backerCount = 40
const [few, many] = [2, 8]
/** The load of each instance, whatever their number is: auctions and quotes a second. */
const auctionsPerInstance = 2
const quotesPerInstance = 60
const auctionMs = 1_000
const seconds = 3
/** The figures are far from their goals: more rounds would not change a verdict. */
const mostRounds = 2
/** Enough to write and deliver everything. */
const settleMs = 1_000

/**
 * Processor time in all processes together (instances, PostgreSQL, NATS) of an auction without quotes, from opening to close, and
 * of an accepted quote, while two and eight instances have the same load each. The backers are spread over them. What the
 * processes use without load in the same time is subtracted.
 */
export const clusterGrowth: Row = {
  id: 'cluster-growth',
  about: 'processor time of an auction and of a quote at 2 and 8 instances with the same work each',
  missing: missingPrograms,
  async run({ rounds, progress }) {
    const context = { rounds: Math.min(rounds, mostRounds), progress }
    await using stack = new AsyncDisposableStack()
    const stand = await startStand({ makers: backerCount })
    stack.defer(stand.stop)
    const measure = async (act: typeof measureAuctions, durationMs: number) => {
      const [two, eight] = [
        await onCluster(context, stand, few, durationMs, act),
        await onCluster(context, stand, many, durationMs, act),
      ]
      return { two, eight, notes: [`${few}: ${describe(two)}`, `${many}: ${describe(eight)}`] }
    }
    const auctions = await measure(measureAuctions, auctionMs)
    const quotes = await measure(measureQuotes, 600_000)
    return [
      {
        what: `processor time that an auction takes for each of ${many} instances`,
        rival: `the same for each of ${few}`,
        unit: 'x',
        figure: ratioOf(
          auctions.eight.map(({ each }) => each / many),
          auctions.two.map(({ each }) => each / few),
        ),
        ...goals.clusterAuctionGrowth,
        notes: auctions.notes,
      },
      {
        what: `processor time of a quote at ${many} instances, the same work for each`,
        rival: `the same at ${few}`,
        unit: 'x',
        figure: ratioOf(
          quotes.eight.map(({ each }) => each),
          quotes.two.map(({ each }) => each),
        ),
        ...goals.clusterQuoteGrowth,
        notes: quotes.notes,
      },
    ]
  },
}

/** What was used, how long that took, and by how many auctions or quotes. */
type Use = { times: ProcessTimes; ms: number; count: number }
/** Microseconds of each auction or quote without the idle share, and where all of them were used. */
type Cost = { each: number; times: ProcessTimes }

async function onCluster(
  context: RowContext,
  stand: Stand,
  servers: number,
  durationMs: number,
  act: (stand: Stand, cluster: ClusterStand) => Promise<Use>,
): Promise<Cost[]> {
  const cluster = await startClusterStand(stand, { servers, settings: { AUCTION_DURATION_MS: String(durationMs) } })
  try {
    await sleep(settleMs)
    const [before, idleMs] = [cluster.times(), seconds * 1_000]
    await sleep(idleMs)
    const idle = totalTime(timesBetween(before, cluster.times(), idleMs))
    return await inRounds(context, async () => {
      const { times, ms, count } = await act(stand, cluster)
      return { each: (totalTime(times) - idle * ms) / count, times: timesBetween({}, times, count) }
    })
  } finally {
    await cluster.stop()
  }
}

/** Auctions that open evenly on all instances and end without a quote. */
async function measureAuctions(stand: Stand, { urls, times }: ClusterStand): Promise<Use> {
  const count = auctionsPerInstance * urls.length * seconds
  const ends: Promise<void>[] = []
  const [before, started] = [times(), performance.now()]
  for (let index = 0; index < count; index += 1) {
    const end = requestQuotes(urls[index % urls.length] ?? '', stand)
    // A failure is reported below, once all are open.
    end.catch(() => {})
    ends.push(end)
    await sleep((seconds * 1_000) / count)
  }
  await Promise.all(ends)
  await sleep(settleMs)
  return { times: timesBetween(before, times()), ms: performance.now() - started, count }
}

/** Quotes of backers on all instances, each followed by its borrower on one of them. */
async function measureQuotes(stand: Stand, { urls, wsUrls, times }: ClusterStand): Promise<Use> {
  const rate = quotesPerInstance * urls.length
  const quotes = await signAnswers(stand, Math.ceil((rate * seconds) / backerCount))
  const backers = await connectBackers(stand.makers, ...wsUrls)
  const borrower = createBorrower(stand)
  try {
    let [before, started]: [ProcessTimes, number] = [{}, 0]
    const openRfqs = () => {
      for (const index of quotes.keys()) borrower.open(urls[index % urls.length] ?? '')
    }
    const onReceived = async () => {
      await sleep(settleMs)
      ;[before, started] = [times(), performance.now()]
    }
    const { acks } = await backers.answer(quotes, openRfqs, { rate, onReceived })
    await borrower.received(acks)
    await sleep(settleMs)
    return { times: timesBetween(before, times()), ms: performance.now() - started, count: acks }
  } finally {
    borrower.leave()
    await backers.stop()
  }
}

/** The cost of one, and where the time went, idle time included: instances together, PostgreSQL, NATS. */
function describe(costs: readonly Cost[]): string {
  const groups = ['server', 'PostgreSQL', 'NATS'].map((group) => {
    const sums = costs.map(({ times }) =>
      Object.entries(times).reduce((sum, [name, time]) => sum + (name.startsWith(group) ? time : 0), 0),
    )
    return noteOf(sums, group)
  })
  const own = costs.map(({ each }) => each)
  return `${noteOf(own, 'µs')}; with what idle processes use ${groups.join(', ')}`
}
