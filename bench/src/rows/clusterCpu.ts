import { setTimeout as sleep } from 'node:timers/promises'
import { createParticipants, type Participants } from '../clients/createParticipants.ts'
import { alternate } from '../compare.ts'
import { type Figure, ratioOf } from '../figures.ts'
import { processorTime } from '../fixture/processTimes.ts'
import { startClusterFixture } from '../fixture/startClusterFixture.ts'
import { longAuctions, startFixture } from '../fixture/startFixture.ts'
import type { Row } from '../row.ts'

const backerCount = 1_000
/** Includes work after the last acknowledgement, such as row reads and log writes. Milliseconds. */
const settleMs = 300
/** The spread is small, and every round signs 16,000 quotes. */
const mostRounds = 2

/**
 * CPU time of an accepted quote that its borrower receives, in all processes of the service: two instances, PostgreSQL
 * and NATS, with borrower and backers on different instances, against one process on SQLite.
 */
export const clusterCpu: Row = {
  id: 'cluster-cpu',
  about: 'processor time of an accepted quote on PostgreSQL and NATS, against one process on SQLite',
  async run({ rounds, progress }) {
    const context = { rounds: Math.min(rounds, mostRounds), progress }
    // No auction closes during the measurement.
    await using fixture = await startFixture(backerCount, longAuctions)
    const { server } = fixture
    await using cluster = await startClusterFixture(fixture, { servers: 2, settings: longAuctions })
    context.progress(`${backerCount} backers connect to each side`)
    await using onOne = await createParticipants({ ...fixture, urls: [server.url], wsUrls: [server.wsUrl] })
    await using onCluster = await createParticipants({
      ...fixture,
      urls: cluster.urls.slice(0, 1),
      wsUrls: cluster.wsUrls.slice(1),
      audience: cluster.audience,
    })
    const compare = async (rfqs: number, rate?: number): Promise<Figure> => {
      const costs = await alternate(['one', 'cluster'], context, (side) =>
        side === 'one'
          ? measure(onOne, () => processorTime([server.pid]), rfqs, rate)
          : measure(onCluster, cluster.cpu, rfqs, rate),
      )
      return ratioOf(costs.cluster, costs.one, 'µs')
    }
    return { acceptedQuoteFullLoad: await compare(5), acceptedQuoteSteadyLoad: await compare(3, 1_000) }
  },
}

/** Microseconds of CPU time per quote; every backer answers this number of RFQs. */
async function measure(participants: Participants, cpu: () => number, rfqs: number, rate?: number): Promise<number> {
  let before = Number.NaN
  const onReceived = async () => {
    await sleep(settleMs)
    before = cpu()
  }
  participants.prepare(rfqs)
  const { count } = await participants.answerTogether(rfqs, { rate, onReceived })
  await sleep(settleMs)
  return (cpu() - before) / count
}
