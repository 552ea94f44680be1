import { postQuotes } from '../clients/postQuotes.ts'
import { alternate, inRounds } from '../compare.ts'
import { figureOf, ratioOf } from '../figures.ts'
import { startClusterFixture } from '../fixture/startClusterFixture.ts'
import { type Fixture, startFixture, startProgram, startRival } from '../fixture/startFixture.ts'
import { quoteBody } from '../quotes.ts'
import type { Row, RowContext } from '../row.ts'

/** Duration of a side's slice at full speed, in seconds. */
const turnSeconds = 1.5
const turnQuotes = 10_000
const connections = 128

/** Steady load as a share of the measured capacity. */
const steadyShare = 0.6
const steadySeconds = 3

/**
 * Durable `POST /api/v1/quotes`. Each quote is verified, judged against a real chain's state, and committed with
 * `synchronous = FULL`. All sides use the same chain, with separate databases. Any response other than 201 fails the
 * row.
 */
export const ingest: Row = {
  id: 'ingest',
  about: 'durable POST /quotes, against Express 5 + viem with a commit per quote, and against raw HTTP',
  async run(context) {
    await using fixture = await startFixture()
    const rates = await measureCapacity(fixture, context)
    // Requests are due at a steady rate even if the server falls behind. Latencies are measured from the due time.
    const rate = Math.round(figureOf(rates.ours).median * steadyShare)
    const p99 = await inRounds(context, async (round) => {
      const bodies = fixture.sign(rate * (round === 0 ? 1 : steadySeconds)).map(quoteBody)
      return (await postQuotes([fixture.server.url], bodies, { rate, connections: 2 * connections })).latencies.p99
    })
    return {
      durablePost: ratioOf(rates.ours, rates.rival, 'a second'),
      durablePostAgainstRawHttp: ratioOf(rates.ours, rates.raw, 'a second'),
      durablePostLatency: figureOf(p99),
    }
  },
}

async function measureCapacity(fixture: Fixture, context: RowContext) {
  await using rival = await startRival(fixture)
  const rawDoor = new URL('../rivalStack/rawDoor.ts', import.meta.url)
  await using raw = await startProgram(rawDoor, { RPC_URL: fixture.devnet.rpcUrl })
  const urls = { ours: fixture.server.url, rival: rival.url, raw: raw.url }
  let [bodies, ofRound]: [string[], number] = [[], -1]
  return await alternate(['ours', 'rival', 'raw'], context, async (side, round) => {
    // All sides receive the same quotes.
    if (round !== ofRound) [bodies, ofRound] = [fixture.sign(turnQuotes).map(quoteBody), round]
    return (await postQuotes([urls[side]], bodies, { seconds: turnSeconds, connections })).perSecond
  })
}

/**
 * Warm-up duration in seconds. Newly started programs are slow, and each instance receives only a third of the load.
 */
const warmUpSeconds = 2
const clusterTurnQuotes = 8_000

/** Like {@link ingest}, but on PostgreSQL. All sides use the same PostgreSQL server, with separate databases. */
export const clusterIngest: Row = {
  id: 'cluster-ingest',
  about: 'durable POST /quotes on PostgreSQL with one and three instances, against Express 5 + viem + pg',
  async run(context) {
    await using fixture = await startFixture()
    await using cluster = await startClusterFixture(fixture, { servers: 3 })
    const { createDatabase } = cluster.postgres
    await using rival = await startRival(fixture, { databaseUrl: await createDatabase() })
    await using noChain = await startRival(fixture, { databaseUrl: await createDatabase(), readsChain: false })
    const urls = { one: cluster.urls.slice(0, 1), three: cluster.urls, rival: [rival.url], noChain: [noChain.url] }
    const rates = await alternate(['one', 'rival', 'three', 'noChain'], context, async (side, round) => {
      const seconds = round === 0 ? warmUpSeconds : turnSeconds
      const bodies = fixture.sign(clusterTurnQuotes).map(quoteBody)
      return (await postQuotes(urls[side], bodies, { seconds, connections })).perSecond
    })
    return {
      clusterPost: ratioOf(rates.one, rates.rival, 'a second'),
      clusterPostOverThree: ratioOf(rates.three, rates.rival, 'a second'),
      clusterPostAgainstNoChain: ratioOf(rates.one, rates.noChain, 'a second'),
    }
  },
}
