import { setTimeout as sleep } from 'node:timers/promises'
import { goals } from '../goals.ts'
import type { Figure, Row } from '../row.ts'
import { connectBackers } from '../stand/connectBackers.ts'
import { figureOf } from '../stand/figureOf.ts'
import { createBorrower } from '../stand/followRfqs.ts'
import { type ProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { type ClusterStand, missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const backerCount = 40
const sizes = [1, 2, 4, 8] as const
/** Each instance has its share of these, whatever their number is: auctions and quotes a second. */
const auctionsPerInstance = 2
const quotesPerInstance = 60
const auctionMs = 1_000
const seconds = 4
/** What is over is written and told within this time. */
const settleMs = 2_500

type Cost = { times: ProcessTimes; perOne: number }

/**
 * Processor time in all processes together (instances, PostgreSQL, NATS) of an auction without quotes, from opening to close, and
 * of an accepted quote, while one to eight instances have the same work each. As many backers are spread over them. What they take
 * without work in the same time is not counted.
 */
export const clusterGrowth: Row = {
  id: 'cluster-growth',
  about: 'processor time of an auction and of a quote at 1 to 8 instances with the same work each',
  async run({ rounds, progress }) {
    const skipped = missingPrograms()
    if (skipped !== null) return { findings: [], skipped }
    await using stack = new AsyncDisposableStack()
    const stand = await startStand({ makers: backerCount })
    stack.defer(stand.stop)
    const points: { size: number; idle: Figure; auctions: number[]; quotes: number[]; where: string[] }[] = []
    for (const size of sizes) {
      const short = await withCluster(stand, size, auctionMs, async (cluster) => {
        const idle = await watch(cluster, () => sleep(seconds * 1_000))
        const costs: Cost[] = []
        for (let round = 0; round <= rounds; round += 1) {
          const cost = await measureAuctions(stand, cluster, idle.perMs)
          if (round > 0) costs.push(cost)
        }
        return { idle, costs }
      })
      const quotes = await withCluster(stand, size, 600_000, async (cluster) => {
        const idle = await watch(cluster, () => sleep(seconds * 1_000))
        const costs: Cost[] = []
        for (let round = 0; round <= rounds; round += 1) {
          const cost = await measureQuotes(stand, cluster, idle.perMs)
          if (round > 0) costs.push(cost)
        }
        return costs
      })
      const [auctionCosts, quoteCosts] = [short.costs, quotes].map((costs) => costs.map(({ perOne }) => perOne))
      const where = [`auction ${describe(short.costs)}`, `quote ${describe(quotes)}`]
      const idle = figureOf([(short.idle.perMs * 1_000) / size])
      points.push({ size, idle, auctions: auctionCosts ?? [], quotes: quoteCosts ?? [], where })
      progress(`${size}: idle ${idle.median.toFixed(0)} µs a second and instance; ${where.join('; ')}`)
    }
    const [base, most] = [points[1], points.at(-1)]
    const ratio = (name: 'auctions' | 'quotes') =>
      figureOf((most?.[name] ?? []).map((cost, round) => cost / (base?.[name][round] ?? Number.NaN)))
    const perInstance = ({ median, low, high }: Figure): Figure => {
      const share = (base?.size ?? Number.NaN) / (most?.size ?? Number.NaN)
      return { median: median * share, low: low * share, high: high * share }
    }
    const notes = (index: number) => points.map((point) => `${point.size}: ${point.where[index]}`)
    return {
      findings: [
        {
          what: 'processor time that an auction takes for each of 8 instances',
          rival: 'the same for each of 2',
          unit: 'x',
          figure: perInstance(ratio('auctions')),
          ...goals.clusterAuctionGrowth,
        },
        {
          what: 'processor time of an auction at 8 instances, all of them together',
          rival: 'the same at 2',
          unit: 'x',
          figure: ratio('auctions'),
          ...goals.clusterAuctionTotal,
          notes: notes(0),
        },
        {
          what: 'processor time of a quote at 8 instances, the same work for each',
          rival: 'the same at 2',
          unit: 'x',
          figure: ratio('quotes'),
          ...goals.clusterQuoteGrowth,
          notes: [
            ...notes(1),
            ...points.map(({ size, idle }) => `${size}: idle ${idle.median.toFixed(0)} µs a second and instance`),
          ],
        },
      ],
      growth: [
        growthOf('an auction, from opening to close', 'auctions', points),
        growthOf('an accepted quote', 'quotes', points),
      ],
    }
  },
}

function growthOf(
  name: string,
  which: 'auctions' | 'quotes',
  points: readonly { size: number; auctions: number[]; quotes: number[] }[],
) {
  return {
    name,
    over: 'instances',
    points: points.map((point) => ({ size: point.size, cost: figureOf(point[which]) })),
  }
}

async function withCluster<T>(
  stand: Stand,
  servers: number,
  durationMs: number,
  act: (cluster: ClusterStand) => Promise<T>,
): Promise<T> {
  const cluster = await startClusterStand(stand, { servers, settings: { AUCTION_DURATION_MS: String(durationMs) } })
  try {
    // What follows a start is over.
    await sleep(settleMs)
    return await act(cluster)
  } finally {
    await cluster.stop()
  }
}

/** Auctions that open evenly on all instances and end without a quote. */
async function measureAuctions(stand: Stand, cluster: ClusterStand, idlePerMs: number): Promise<Cost> {
  const count = auctionsPerInstance * cluster.urls.length * seconds
  const ends: Promise<unknown>[] = []
  const { times, ms } = await watch(cluster, async () => {
    for (let index = 0; index < count; index += 1) {
      ends.push(openAuction(cluster.urls[index % cluster.urls.length] ?? '', stand))
      await sleep((seconds * 1_000) / count)
    }
    await Promise.all(ends)
    await sleep(settleMs)
  })
  return { times: each(times, count), perOne: (totalTime(times) - idlePerMs * ms) / count }
}

async function openAuction(url: string, stand: Stand): Promise<void> {
  const body = JSON.stringify({ ...termsOf(stand), notional: '1000000000' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/rfq/quote`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new TypeError(`An auction was answered with ${answer.status}: ${text}`)
}

/** Quotes of backers on all instances, each followed by its borrower on one of them. */
async function measureQuotes(stand: Stand, cluster: ClusterStand, idlePerMs: number): Promise<Cost> {
  const rate = quotesPerInstance * cluster.urls.length
  const rfqs = Math.ceil((rate * seconds) / backerCount)
  const bodies = quoteBodies(await signQuotes(stand, rfqs * backerCount, termsOf(stand)))
  const quotes = Array.from({ length: rfqs }, (_, rfq) => bodies.slice(rfq * backerCount, (rfq + 1) * backerCount))
  const backers = await connectBackers({
    wsUrl: cluster.wsUrls,
    keys: stand.makers.map(({ privateKey }) => privateKey),
  })
  const borrower = createBorrower()
  try {
    let [before, started]: [ProcessTimes, number] = [new Map(), 0]
    const { acks } = await backers.answer(
      quotes,
      () => {
        for (const [index] of quotes.entries())
          borrower.open(cluster.urls[index % cluster.urls.length] ?? '', { ...termsOf(stand), notional: '1000000000' })
      },
      {
        rate,
        onReceived: async () => {
          await sleep(settleMs)
          ;[before, started] = [cluster.times(), performance.now()]
        },
      },
    )
    await borrower.received(acks)
    await sleep(settleMs)
    const times = timesBetween(before, cluster.times())
    const idle = idlePerMs * (performance.now() - started)
    return { times: each(times, acks), perOne: (totalTime(times) - idle) / acks }
  } finally {
    borrower.leave()
    await backers.stop()
  }
}

async function watch(cluster: ClusterStand, act: () => Promise<unknown>) {
  const [before, started] = [cluster.times(), performance.now()]
  await act()
  const times = timesBetween(before, cluster.times())
  const ms = performance.now() - started
  return { times, ms, perMs: totalTime(times) / ms }
}

function termsOf({ pools: [{ poolId, series }] }: Stand) {
  return { poolId, seriesKey: series[1]?.seriesKey ?? poolId }
}

function each(times: ProcessTimes, count: number): ProcessTimes {
  return new Map([...times].map(([name, time]) => [name, time / count]))
}

/** Where the time of one went, with what is taken without work: instances together, PostgreSQL, NATS. */
function describe(costs: readonly Cost[]): string {
  const groups = ['server', 'PostgreSQL', 'NATS'].map((group) => {
    const sums = costs.map(({ times }) => totalTime(new Map([...times].filter(([name]) => name.startsWith(group)))))
    return `${group} ${figureOf(sums).median.toFixed(0)}`
  })
  const own = figureOf(costs.map(({ perOne }) => perOne)).median.toFixed(0)
  return `${own} µs; with what idle ones take ${groups.join(', ')}`
}
