import { goals } from '../goals.ts'
import { startRival } from '../rivalStack/startRival.ts'
import type { Finding, Row } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { type RequestResult, sendRequests } from '../stand/sendRequests.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { startStand } from '../stand/startStand.ts'

/** How long a side sends at full speed in its turn, in seconds, and with how many quotes at hand. */
const turnSeconds = 1.5
/** In the first round, which does not count: programs that have just started run slowly, and each instance gets a third. */
const warmUpSeconds = 6
const turnQuotes = 9_000
const turnConnections = 128

type Side = 'one' | 'three' | 'rival' | 'signaturesOnly'

/**
 * Durable `POST /api/v1/quotes` on PostgreSQL: verified, judged by the state of a real chain, committed before the answer. All
 * sides have a database of the same PostgreSQL, and judge before the same chain. Every answer is 201, or the row fails.
 */
export const clusterIngest: Row = {
  id: 'cluster-ingest',
  about: 'durable POST /quotes on PostgreSQL, one and three instances, against Express 5 + viem + pg',
  async run({ rounds, progress }) {
    const skipped = missingPrograms()
    if (skipped !== null) return { findings: [], skipped }
    await using stack = new AsyncDisposableStack()
    const stand = await startStand()
    stack.defer(stand.stop)
    const cluster = await startClusterStand(stand, { servers: 3 })
    stack.defer(cluster.stop)
    const startOne = async (readsChain: boolean) => {
      const rival = await startRival(stand, { url: await cluster.postgres.createDatabase(), readsChain })
      stack.defer(rival.stop)
      return rival.url
    }
    const urls: Record<Side, string | readonly string[]> = {
      one: cluster.urls[0] ?? '',
      three: cluster.urls,
      rival: await startOne(true),
      signaturesOnly: await startOne(false),
    }
    const results: Record<Side, RequestResult[]> = { one: [], three: [], rival: [], signaturesOnly: [] }
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      progress('signing quotes')
      // What one side has stored another one of the same database would only find.
      const bodies = quoteBodies(await signQuotes(stand, 2 * turnQuotes))
      const [some, others] = [bodies.slice(0, turnQuotes), bodies.slice(turnQuotes)]
      for (const side of ['one', 'rival', 'three', 'signaturesOnly'] as const) {
        const result = await sendRequests({
          ...{ url: urls[side], path: '/api/v1/quotes', status: 201 },
          ...{
            bodies: side === 'three' ? others : some,
            seconds: round === 0 ? warmUpSeconds : turnSeconds,
            connections: turnConnections,
          },
        })
        progress(`round ${round} of ${rounds}, ${side}: ${Math.round(result.perSecond)} quotes per second`)
        if (round > 0) results[side].push(result)
      }
    }
    const rates = (side: Side) => results[side].map(({ perSecond }) => perSecond)
    const rate = (side: Side) => `${Math.round(figureOf(rates(side)).median)} per second`
    const compare = (ours: 'one' | 'three', theirs: 'rival' | 'signaturesOnly', held: Pick<Finding, 'goal'>) => ({
      what: `durable POST /quotes on PostgreSQL, ${ours} instance${ours === 'one' ? '' : 's'}`,
      rival:
        theirs === 'rival'
          ? 'Express 5 + viem + pg + a commit each, the same checks'
          : 'Express 5 + viem + pg + a commit each, without any chain read',
      unit: 'x' as const,
      figure: ratioOf(rates(ours), rates(theirs)),
      ...held,
      notes: [`ours: ${rate(ours)}`, `rival: ${rate(theirs)}`],
    })
    return {
      findings: [
        compare('one', 'rival', goals.clusterPost),
        compare('three', 'rival', goals.clusterPostOverThree),
        compare('one', 'signaturesOnly', goals.clusterPostAgainstNoChain),
      ],
    }
  },
}
