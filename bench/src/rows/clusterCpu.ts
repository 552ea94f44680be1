import { setTimeout as sleep } from 'node:timers/promises'
import { alternate } from '../compare.ts'
import { figureOf, noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import type { Finding, Row } from '../row.ts'
import { type Backers, connectBackers } from '../stand/backers.ts'
import { createBorrower } from '../stand/borrower.ts'
import { mapTimes, type ProcessTimes, readProcessTimes, timesBetween, totalTime } from '../stand/processTimes.ts'
import { signAnswers } from '../stand/signQuotes.ts'
import { missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

const backerCount = 1_000
/** `rfqs`: how many RFQs the backers answer in a turn, one quote of each for each RFQ. */
const loads = [
  { words: 'at full load', rate: undefined, rfqs: 5, held: goals.acceptedQuoteFullLoad },
  { words: 'at a steady 1,000 a second', rate: 1_000, rfqs: 3, held: goals.acceptedQuoteSteadyLoad },
]
/** What follows the last acknowledgement counts too: rows that are read, a log that is written. */
const settleMs = 300

/** One of the services that are compared: where RFQs are opened, and where backers are. */
type Side = { url: string; backers: Backers; times: () => ProcessTimes }

/** Microseconds of processor time for each quote. */
type Cost = { times: ProcessTimes; perSecond: number }

/**
 * Processor time of a quote that is accepted and shown to its borrower, in all processes of the service together: two instances,
 * PostgreSQL and NATS, where the borrower is on the one and the backers are on the other, against one process on SQLite.
 */
export const clusterCpu: Row = {
  id: 'cluster-cpu',
  about: 'processor time of an accepted quote on PostgreSQL and NATS, against one process on SQLite',
  missing: missingPrograms,
  async run(context) {
    await using stack = new AsyncDisposableStack()
    // No auction closes while quotes are counted.
    const settings = { AUCTION_DURATION_MS: '600000' }
    const stand = await startStand({ makers: backerCount, settings })
    stack.defer(stand.stop)
    const cluster = await startClusterStand(stand, { servers: 2, settings })
    stack.defer(cluster.stop)
    context.progress(`${backerCount} backers connect to each side`)
    const join = async (wsUrl: string): Promise<Backers> => {
      const backers = await connectBackers(stand.makers, wsUrl)
      stack.defer(backers.stop)
      return backers
    }
    const sides: Record<'cluster' | 'one', Side> = {
      cluster: { url: cluster.urls[0] ?? '', backers: await join(cluster.wsUrls[1] ?? ''), times: cluster.times },
      one: {
        url: stand.url,
        backers: await join(stand.wsUrl),
        times: () => readProcessTimes({ server: stand.pid }),
      },
    }
    const findings: Finding[] = []
    for (const { words, rate, rfqs, held } of loads) {
      const costs = await alternate(['one', 'cluster'], context, async (side) =>
        measure(stand, sides[side], await signAnswers(stand, rfqs), rate),
      )
      const totals = (side: 'cluster' | 'one') => costs[side].map(({ times }) => totalTime(times))
      findings.push({
        what: `processor time of an accepted quote, PostgreSQL and NATS, borrower and maker on different instances, ${words}`,
        rival: 'one process on SQLite',
        unit: 'x',
        figure: ratioOf(totals('cluster'), totals('one')),
        ...held,
        notes: [`cluster: ${describe(costs.cluster)}`, `one process: ${describe(costs.one)}`],
      })
    }
    return findings
  },
}

async function measure(
  stand: Stand,
  { url, backers, times }: Side,
  quotes: readonly (readonly string[])[],
  rate: number | undefined,
): Promise<Cost> {
  const borrower = createBorrower(stand)
  let before: ProcessTimes = {}
  const openRfqs = () => {
    for (const _ of quotes) borrower.open(url)
  }
  const onReceived = async () => {
    await sleep(settleMs)
    before = times()
  }
  const { acks, perSecond } = await backers.answer(quotes, openRfqs, { rate, onReceived })
  await borrower.received(acks)
  await sleep(settleMs)
  const cost = timesBetween(before, times(), acks)
  borrower.leave()
  return { times: cost, perSecond }
}

function describe(costs: readonly Cost[]): string {
  const medians = mapTimes(costs[0]?.times ?? {}, (_, name) => {
    return figureOf(costs.map(({ times }) => times[name] ?? Number.NaN)).median
  })
  const parts = Object.entries(medians).map(([name, time]) => `${name} ${time.toFixed(0)}`)
  const rate = costs.map(({ perSecond }) => perSecond)
  return `${totalTime(medians).toFixed(0)} µs (${parts.join(', ')}); ${noteOf(rate, 'a second')}`
}
