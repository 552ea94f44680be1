import { alternate } from '../compare.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { startRival } from '../rivalStack/startRival.ts'
import type { Finding, Row } from '../row.ts'
import { postQuotes } from '../stand/postQuotes.ts'
import { signBodies } from '../stand/signQuotes.ts'
import { missingPrograms, startClusterStand } from '../stand/startClusterStand.ts'
import { startStand } from '../stand/startStand.ts'

/** How long a side sends at full speed in its turn, in seconds, and with how many quotes at hand. */
const turnSeconds = 1.5
/** In the round that does not count: programs that have just started run slowly, and each instance gets a third. */
const warmUpSeconds = 4
const turnQuotes = 8_000
const connections = 128

type Side = 'one' | 'three' | 'rival' | 'signaturesOnly'

/**
 * Durable `POST /api/v1/quotes` on PostgreSQL: verified, judged by the state of a real chain, committed before the answer. All
 * sides have a database of the same PostgreSQL, and judge before the same chain. Every answer is 201, or the row fails.
 */
export const clusterIngest: Row = {
  id: 'cluster-ingest',
  about: 'durable POST /quotes on PostgreSQL, one and three instances, against Express 5 + viem + pg',
  missing: missingPrograms,
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const stand = await startStand()
    stack.defer(stand.stop)
    const cluster = await startClusterStand(stand, { servers: 3 })
    stack.defer(cluster.stop)
    const startOne = async (readsChain: boolean) => {
      const rival = await startRival(stand, { databaseUrl: await cluster.postgres.createDatabase(), readsChain })
      stack.defer(rival.stop)
      return rival.url
    }
    const urls: Record<Side, string | readonly string[]> = {
      one: cluster.urls[0] ?? '',
      three: cluster.urls,
      rival: await startOne(true),
      signaturesOnly: await startOne(false),
    }
    const rates = await alternate(['one', 'rival', 'three', 'signaturesOnly'], context, async (side, round) => {
      const seconds = round === 0 ? warmUpSeconds : turnSeconds
      return (await postQuotes(urls[side], await signBodies(stand, turnQuotes), { seconds, connections })).perSecond
    })
    const compare = (ours: Side, theirs: Side, held: Pick<Finding, 'goal'>): Finding => ({
      what: `durable POST /quotes on PostgreSQL, ${ours} instance${ours === 'one' ? '' : 's'}`,
      rival: `Express 5 + viem + pg + a commit each, ${theirs === 'rival' ? 'the same checks' : 'without any chain read'}`,
      unit: 'x',
      figure: ratioOf(rates[ours], rates[theirs]),
      ...held,
      notes: [`ours ${noteOf(rates[ours], 'per second')}, rival ${noteOf(rates[theirs], 'per second')}`],
    })
    return [
      compare('one', 'rival', goals.clusterPost),
      compare('three', 'rival', goals.clusterPostOverThree),
      compare('one', 'signaturesOnly', goals.clusterPostAgainstNoChain),
    ]
  },
}
