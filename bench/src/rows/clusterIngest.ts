import { postQuotes } from '../clients/postQuotes.ts'
import { alternate } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { startClusterFixture } from '../fixture/startClusterFixture.ts'
import { startFixture, startRival } from '../fixture/startFixture.ts'
import { quoteBody } from '../quotes.ts'
import type { Row } from '../row.ts'

/** Duration of a side's slice at full speed, in seconds. */
const turnSeconds = 1.5
/**
 * Warm-up duration in seconds. Newly started programs are slow, and each instance receives only a third of the load.
 */
const warmUpSeconds = 2
const turnQuotes = 8_000
const connections = 128

/**
 * Durable `POST /api/v1/quotes` on PostgreSQL. Each quote is verified, judged against a real chain's state, and
 * committed before it is answered. All sides use the same chain and the same PostgreSQL server, with separate
 * databases. Any response other than 201 fails the row.
 */
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
      return (await postQuotes(urls[side], fixture.sign(turnQuotes).map(quoteBody), { seconds, connections })).perSecond
    })
    return {
      clusterPost: ratioOf(rates.one, rates.rival, 'a second'),
      clusterPostOverThree: ratioOf(rates.three, rates.rival, 'a second'),
      clusterPostAgainstNoChain: ratioOf(rates.one, rates.noChain, 'a second'),
    }
  },
}
