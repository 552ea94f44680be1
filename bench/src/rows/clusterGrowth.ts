import { setTimeout as sleep } from 'node:timers/promises'
import { createParticipants, sendSteadily } from '../clients/createParticipants.ts'
import { type AuctionEnd, openAuction } from '../clients/openAuction.ts'
import { inRounds } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { type ClusterFixture, startClusterFixture } from '../fixture/startClusterFixture.ts'
import { type Fixture, startFixture } from '../fixture/startFixture.ts'
import { minNotionalOf } from '../quotes.ts'
import type { Row, RowContext } from '../row.ts'

const backerCount = 40
const [few, many] = [2, 8]
/** Load per instance, independent of their number: auctions and quotes per second. */
const auctionsPerInstance = 2
const quotesPerInstance = 60
const seconds = 3
/** Seconds of load before the first measurement: new programs run slowly. */
const warmUpSeconds = 1
/** Long enough for the RFQs of {@link runQuotes} to be received and answered. */
const auctionMs = 6_000
/** The figures are far from their goals, so more rounds would not change a verdict. */
const mostRounds = 2
/** Milliseconds, enough to write and deliver everything. */
const settleMs = 1_000

/**
 * CPU time in all processes (instances, PostgreSQL, NATS) of an auction without quotes, from opening to close, and of
 * an accepted quote, with the same load per instance on two and on eight instances. Backers are spread over the
 * instances. The idle usage over the same time is subtracted.
 */
export const clusterGrowth: Row = {
  id: 'cluster-growth',
  about: 'processor time of an auction and of a quote at 2 and 8 instances with the same work each',
  async run({ rounds, progress }) {
    const context = { rounds: Math.min(rounds, mostRounds), progress }
    await using fixture = await startFixture(backerCount)
    const ofFew = await measureOnCluster(context, fixture, few)
    const ofMany = await measureOnCluster(context, fixture, many)
    const each = (costs: readonly number[], servers: number) => costs.map((cost) => cost / servers)
    return {
      clusterAuctionGrowth: ratioOf(each(ofMany.auctions, many), each(ofFew.auctions, few), 'µs'),
      clusterQuoteGrowth: ratioOf(ofMany.quotes, ofFew.quotes, 'µs'),
    }
  },
}

/** CPU time and milliseconds for a number of auctions or quotes. */
type Use = { cpu: number; ms: number; count: number }
type Act = (fixture: Fixture, cluster: ClusterFixture, seconds: number) => Promise<Use>

/** Microseconds per auction and per quote on a cluster of `servers` instances, without the idle share. */
async function measureOnCluster(
  context: RowContext,
  fixture: Fixture,
  servers: number,
): Promise<{ auctions: number[]; quotes: number[] }> {
  const settings = { AUCTION_DURATION_MS: String(auctionMs) }
  await using cluster = await startClusterFixture(fixture, { servers, settings })
  await sleep(settleMs)
  const [before, idleMs] = [cluster.cpu(), seconds * 1_000]
  await sleep(idleMs)
  const idle = (cluster.cpu() - before) / idleMs
  const measure = (act: Act) =>
    inRounds(context, async (round) => {
      const { cpu, ms, count } = await act(fixture, cluster, round === 0 ? warmUpSeconds : seconds)
      return (cpu - idle * ms) / count
    })
  return { auctions: await measure(runAuctions), quotes: await measure(runQuotes) }
}

/** Auctions that open evenly on all instances and end without a quote. */
async function runAuctions({ series }: Fixture, { urls, cpu }: ClusterFixture, seconds: number): Promise<Use> {
  const rate = auctionsPerInstance * urls.length
  const ends: Promise<AuctionEnd>[] = []
  const [before, started] = [cpu(), performance.now()]
  await sendSteadily(rate, rate * seconds, (sent) => {
    ends.push(openAuction(urls[sent % urls.length] ?? '', series, minNotionalOf))
  })
  const failed = (await Promise.all(ends)).find(({ outcome }) => outcome !== 'done')
  if (failed) throw new TypeError(`An auction failed: ${JSON.stringify(failed)}`)
  await sleep(settleMs)
  return { cpu: cpu() - before, ms: performance.now() - started, count: ends.length }
}

/** Quotes by backers on all instances, with one following borrower per auction. */
async function runQuotes(fixture: Fixture, cluster: ClusterFixture, seconds: number): Promise<Use> {
  const { urls, wsUrls, audience, cpu } = cluster
  const rate = quotesPerInstance * urls.length
  const rfqs = Math.ceil((rate * seconds) / backerCount)
  await using participants = await createParticipants({ ...fixture, urls, wsUrls, audience })
  participants.prepare(rfqs)
  let [before, started] = [0, 0]
  const onReceived = async () => {
    await sleep(settleMs)
    ;[before, started] = [cpu(), performance.now()]
  }
  const { count } = await participants.answerTogether(rfqs, { rate, onReceived })
  await sleep(settleMs)
  return { cpu: cpu() - before, ms: performance.now() - started, count }
}
