import { setTimeout as sleep } from 'node:timers/promises'
import { connectBacker } from '../clients/connectBacker.ts'
import { createParticipants } from '../clients/createParticipants.ts'
import { inRounds } from '../compare.ts'
import { figureOf } from '../figures.ts'
import {
  type Fixture,
  longAuctions,
  type Program,
  serverMain,
  startFixture,
  startProgram,
} from '../fixture/startFixture.ts'
import type { Row, RowContext } from '../row.ts'

const backers = 200
const idleBackers = 1_000
const restMs = 6_000

/**
 * Memory of the server process after a forced garbage collection. Auctions are measured as heap plus external memory,
 * since the system reports resident memory in larger steps. A thousand connections are measured as resident memory,
 * which includes sockets and buffers, after a pause in which V8 returns memory.
 */
export const memory: Row = {
  id: 'memory',
  about: 'memory of an open auction, and of 1,000 idle backers',
  async run(context) {
    const auctions = await measureAuctions(context)
    await using fixture = await startFixture(idleBackers)
    context.progress(`${idleBackers} idle backers at each of ${context.rounds} servers`)
    const idle = await measureIdleBackers(fixture, context.rounds)
    return { auctionMemory: figureOf(auctions), idleBackersMemory: figureOf(idle) }
  },
}

/** Measures the memory per additional open auction, in MiB. All auctions are answered and stay open. */
async function measureAuctions(context: RowContext): Promise<number[]> {
  await using fixture = await startFixture(backers, longAuctions)
  const { server } = fixture
  await using participants = await createParticipants({ ...fixture, urls: [server.url], wsUrls: [server.wsUrl] })
  let [before, opened] = [Number.NaN, 0]
  const measure = async () => {
    void participants.requestQuotes()
    opened += 1
    if ((await participants.answered(backers * opened, 30_000)) > 0) throw new TypeError('A quote received no answer.')
    const { heap } = await server.call('memory')
    const used = heap - before
    before = heap
    return used
  }
  await measure()
  // The `await` is required, since the fixture stops when this function returns.
  return await inRounds(context, measure)
}

/** Measures the memory, in MiB, of each of `count` new servers idling on the fixture's chain at the same time. */
async function measureIdleBackers({ devnet, makers }: Fixture, count: number): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const servers: Program[] = []
  for (let n = 0; n < count; n += 1) {
    servers.push(stack.use(await startProgram(serverMain, { RPC_URL: devnet.rpcUrl })))
  }
  const before = await residentAtRest(servers)
  for (const { wsUrl } of servers) {
    for (let start = 0; start < idleBackers; start += 50) {
      const group = makers.slice(start, start + 50).map((maker) => connectBacker(wsUrl, maker.privateKey))
      for (const backer of await Promise.all(group)) stack.use(backer)
    }
  }
  const after = await residentAtRest(servers)
  return after.map((resident, n) => resident - (before[n] ?? Number.NaN))
}

async function residentAtRest(servers: readonly Program[]): Promise<number[]> {
  for (const server of servers) await server.call('memory')
  await sleep(restMs)
  return Promise.all(servers.map(async (server) => (await server.call('memory')).resident))
}
