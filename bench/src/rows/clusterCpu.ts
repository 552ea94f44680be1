import { setTimeout as sleep } from 'node:timers/promises'
import { goals } from '../goals.ts'
import type { Finding, Row } from '../row.ts'
import { type Backers, connectBackers } from '../stand/connectBackers.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { createBorrower } from '../stand/followRfqs.ts'
import { type ProcessTimes, readProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const backerCount = 1_000
/** How many RFQs the backers answer in a turn, one quote of each for each RFQ. */
const rfqsPerTurn = 5
const loads = [
  { name: 'full', words: 'at full load', held: goals.acceptedQuoteFullLoad },
  { name: 'steady', words: 'at a steady 1,000 a second', rate: 1_000, held: goals.acceptedQuoteSteadyLoad },
] as const
/** What follows the last acknowledgement counts too: rows that are read, a log that is written. */
const settleMs = 300

/** One of the services that are compared. */
type Side = {
  /** Where RFQs are opened, and where backers are. */
  url: string
  wsUrl: string
  times: () => ProcessTimes
}

/**
 * Processor time of a quote that is accepted and shown to its borrower, in all processes of the service together: two instances,
 * PostgreSQL and NATS, where the borrower is on the one and the backers are on the other, against one process on SQLite.
 */
export const clusterCpu: Row = {
  id: 'cluster-cpu',
  about: 'processor time of an accepted quote on PostgreSQL and NATS, against one process on SQLite',
  async run({ rounds, progress }) {
    const skipped = missingPrograms()
    if (skipped !== null) return { findings: [], skipped }
    await using stack = new AsyncDisposableStack()
    // No auction closes while quotes are counted.
    const settings = { AUCTION_DURATION_MS: '600000' }
    const stand = await startStand({ makers: backerCount, settings })
    stack.defer(stand.stop)
    const cluster = await startClusterStand(stand, { servers: 2, settings })
    stack.defer(cluster.stop)
    const [borrowersUrl = ''] = cluster.urls
    const sides: Record<'cluster' | 'one', Side> = {
      cluster: { url: borrowersUrl, wsUrl: cluster.wsUrls[1] ?? '', times: cluster.times },
      one: { ...stand, times: () => readProcessTimes([{ name: 'SQLite server', pid: stand.pid }]) },
    }
    progress(`${backerCount} backers connect to each side`)
    const keys = stand.makers.map(({ privateKey }) => privateKey)
    const join = async ({ wsUrl }: Side): Promise<Backers> => {
      const backers = await connectBackers({ wsUrl, keys })
      stack.defer(backers.stop)
      return backers
    }
    const backers = { cluster: await join(sides.cluster), one: await join(sides.one) }

    const findings: Finding[] = []
    for (const { name, words, held, ...load } of loads) {
      const costs = { cluster: [] as ProcessTimes[], one: [] as ProcessTimes[] }
      const rates = { cluster: [] as number[], one: [] as number[] }
      // The first round warms everything up and does not count.
      for (let round = 0; round <= rounds; round += 1) {
        const quotes = await signAnswers(stand)
        for (const side of round % 2 ? (['cluster', 'one'] as const) : (['one', 'cluster'] as const)) {
          const { cost, perSecond } = await measure(stand, sides[side], backers[side], quotes, load)
          progress(`round ${round} of ${rounds}, ${name}, ${side}: ${describe(cost)}; ${perSecond.toFixed(0)}/s`)
          if (round === 0) continue
          costs[side].push(cost)
          rates[side].push(perSecond)
        }
      }
      const rate = (side: keyof typeof rates) => `${Math.round(figureOf(rates[side]).median)} a second`
      findings.push({
        what: `processor time of an accepted quote, PostgreSQL and NATS, borrower and maker on different instances, ${words}`,
        rival: 'one process on SQLite',
        unit: 'x',
        figure: ratioOf(costs.cluster.map(totalTime), costs.one.map(totalTime)),
        ...held,
        notes: [
          `cluster: ${describe(medianOf(costs.cluster))}; ${rate('cluster')}`,
          `one process: ${describe(medianOf(costs.one))}; ${rate('one')}`,
        ],
      })
    }
    return { findings }
  },
}

/** Microseconds of processor time for each quote, by where they were spent. */
async function measure(
  { pools: [pool] }: Stand,
  { url, times }: Side,
  backers: Backers,
  quotes: readonly (readonly string[])[],
  load: { rate?: number },
): Promise<{ cost: ProcessTimes; perSecond: number }> {
  const borrower = createBorrower()
  let before: ProcessTimes = new Map()
  const openRfqs = () => {
    for (const _ of quotes) borrower.open(url, { ...termsOf(pool), notional: '1000000000' })
  }
  const onReceived = async () => {
    await sleep(settleMs)
    before = times()
  }
  const { acks, perSecond } = await backers.answer(quotes, openRfqs, { ...load, onReceived })
  await borrower.received(acks)
  await sleep(settleMs)
  const cost = timesBetween(before, times())
  borrower.leave()
  return { cost: new Map([...cost].map(([name, time]) => [name, time / acks])), perSecond }
}

/** A list for each RFQ with a quote of each backer. */
async function signAnswers(stand: Stand): Promise<string[][]> {
  const bodies = quoteBodies(await signQuotes(stand, rfqsPerTurn * backerCount, termsOf(stand.pools[0])))
  return Array.from({ length: rfqsPerTurn }, (_, rfq) => bodies.slice(rfq * backerCount, (rfq + 1) * backerCount))
}

function termsOf({ poolId, series }: Stand['pools'][0]) {
  return { poolId, seriesKey: series[1]?.seriesKey ?? poolId }
}

function medianOf(costs: readonly ProcessTimes[]): ProcessTimes {
  const names = costs[0]?.keys() ?? []
  return new Map([...names].map((name) => [name, figureOf(costs.map((cost) => cost.get(name) ?? 0)).median]))
}

function describe(cost: ProcessTimes): string {
  const parts = [...cost].map(([name, time]) => `${name} ${time.toFixed(0)}`)
  return `${totalTime(cost).toFixed(0)} µs${parts.length > 1 ? ` (${parts.join(', ')})` : ''}`
}
