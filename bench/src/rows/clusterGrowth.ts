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
/** Auctions per second on each instance, however many there are. */
const auctionsPerInstance = 2
const quotesPerInstance = 60
const seconds = 3
/** Seconds of load before the first measurement, since newly started programs are slow. */
const warmUpSeconds = 1
/** Auction duration long enough to receive and answer the RFQs in {@link runQuotes}. */
const auctionMs = 6_000
/** Limit on rounds. The figures are far from their goals, so more rounds would not change a verdict. */
const mostRounds = 1
/** Milliseconds to wait until everything is written and delivered. */
const settleMs = 1_000

/**
 * CPU time of an auction without quotes, from opening to close, and of an accepted quote. Includes all processes
 * (instances, PostgreSQL, NATS). Compares two instances with eight, under the same load per instance. Backers are
 * distributed across the instances. The idle CPU time over the same period is subtracted.
 */
export const clusterGrowth: Row = {
  id: 'cluster-growth',
  about: 'CPU time of an auction and of a quote on 2 and 8 instances, with the same load per instance',
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

/** CPU time and elapsed milliseconds for `count` auctions or quotes. */
type Use = { cpu: number; ms: number; count: number }
type Act = (fixture: Fixture, cluster: ClusterFixture, seconds: number) => Promise<Use>

/** Measures microseconds per auction and per quote on a cluster of `servers` instances, excluding idle CPU time. */
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

/** Opens auctions, spread evenly across all instances. The auctions end without quotes. */
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

/** Sends quotes from backers on all instances. One borrower follows each auction. */
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
