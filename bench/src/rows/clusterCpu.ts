import { setTimeout as sleep } from 'node:timers/promises'
import { createParticipants, type Participants } from '../clients/createParticipants.ts'
import { alternate } from '../compare.ts'
import { type Figure, ratioOf } from '../figures.ts'
import { processorTime } from '../fixture/processTimes.ts'
import { startClusterFixture } from '../fixture/startClusterFixture.ts'
import { longAuctions, startFixture } from '../fixture/startFixture.ts'
import type { Row } from '../row.ts'

const backerCount = 1_000
/**
 * Milliseconds to wait after the last acknowledgement, to include later work such as row reads and log writes.
 */
const settleMs = 300
/** Limit on rounds. A few rounds suffice: the spread is small, and each round signs 16,000 quotes. */
const mostRounds = 2

/**
 * CPU time across all of the service's processes to accept a quote and deliver it to its borrower. Compares one process
 * on SQLite with two instances on PostgreSQL and NATS, with the borrower and the backers on different instances.
 */
export const clusterCpu: Row = {
  id: 'cluster-cpu',
  about: 'CPU time of an accepted quote on PostgreSQL and NATS, against one process on SQLite',
  async run({ rounds, progress }) {
    const context = { rounds: Math.min(rounds, mostRounds), progress }
    // Ensures that no auction closes during the measurement.
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

/** Measures microseconds of CPU time per quote. Each backer answers `rfqs` RFQs. */
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
