import { setTimeout as sleep } from 'node:timers/promises'
import { createParticipants, type Participants } from '../clients/createParticipants.ts'
import { alternate } from '../compare.ts'
import { percentilesOf, ratioOf } from '../figures.ts'
import { type Program, serverMain, startFixture, startProgram } from '../fixture/startFixture.ts'
import type { Row } from '../row.ts'

const backerCount = 40
/** Auctions of a slice. Each backer answers all of them. */
const auctions = 60
/** Auctions that are opened each second under steady load: 1,000 quotes a second. */
const steadyRate = 1_000 / backerCount
const settings = { AUCTION_DURATION_MS: '4000' }
/** Milliseconds to wait after the last close, to include later work such as the log's next checkpoint. */
const settleMs = 1_500
const answerLimitMs = 20_000

/**
 * Server CPU time for a quote in an auction, from the RFQ to the signed checkpoint, compared with the same server without
 * proofs. The backers ask for receipts.
 */
export const provableQuotes: Row = {
  id: 'provable-quotes',
  about: 'CPU time of an auction quote with proofs and receipts, against without',
  async run(context) {
    await using fixture = await startFixture(backerCount, settings)
    const rpc = { RPC_URL: fixture.devnet.rpcUrl }
    await using plain = await startProgram(serverMain, { ...rpc, ...settings, PROOFS: 'off' })
    const join = ({ url, wsUrl }: Program, query: string) =>
      createParticipants({ ...fixture, urls: [url], wsUrls: [`${wsUrl}${query}`], audience: wsUrl })
    await using provable = await join(fixture.server, '?receipts=1')
    await using others = await join(plain, '')
    const sides = {
      provable: { server: fixture.server, participants: provable },
      plain: { server: plain, participants: others },
    }
    const compare = (rate?: number) => alternate(['provable', 'plain'], context, (side) => measure(sides[side], rate))
    const full = await compare()
    const steady = await compare(steadyRate)
    return {
      provableFullLoad: between(full, 'cpu', 'µs'),
      provableSteadyLoad: between(steady, 'cpu', 'µs'),
      provableAck: between(steady, 'p99', 'ms'),
    }
  },
}

type Slice = Awaited<ReturnType<typeof measure>>

function between(slices: { provable: Slice[]; plain: Slice[] }, key: keyof Slice, unit: string) {
  const valuesOf = (side: Slice[]) => side.map((slice) => slice[key])
  return ratioOf(valuesOf(slices.provable), valuesOf(slices.plain), unit)
}

/**
 * Runs auctions to their close, all at once or `rate` a second. Returns microseconds of CPU time per quote, and the
 * acknowledgements' p99 in milliseconds.
 */
async function measure({ server, participants }: { server: Program; participants: Participants }, rate?: number) {
  const { figures } = participants
  participants.prepare(auctions)
  const before = await server.call('cpu')
  const acks = figures.acknowledgement.length
  const ends = []
  for (let opened = 0; opened < auctions; opened += 1) {
    ends.push(participants.requestQuotes())
    if (rate !== undefined) await sleep(1_000 / rate)
  }
  await Promise.all(ends)
  await participants.settle(answerLimitMs)
  await sleep(settleMs)
  const answered = figures.acknowledgement.slice(acks)
  const failed = [
    ...figures.failures,
    ...figures.refused,
    ...[...figures.verdicts].filter(([one]) => one !== 'ACCEPTED'),
  ]
  if (failed.length > 0 || answered.length !== auctions * backerCount)
    throw new TypeError(
      `Of ${auctions * backerCount} quotes, ${answered.length} were answered: ${JSON.stringify(failed)}.`,
    )
  return { cpu: ((await server.call('cpu')) - before) / answered.length, p99: percentilesOf(answered).p99 }
}
