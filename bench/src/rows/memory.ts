import { setTimeout as sleep } from 'node:timers/promises'
import { inRounds } from '../compare.ts'
import { figureOf, noteOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { connectBacker } from '../load/connectBacker.ts'
import { createParticipants } from '../load/createParticipants.ts'
import { createServerProbe, type ServerProbe, startLoadStand } from '../load/serverProbe.ts'
import type { Row, RowContext } from '../row.ts'
import { type Stand, serverMain, startProgram, startStand } from '../stand/startStand.ts'

const backers = 200
const idleBackers = 1_000
const mebibyte = 1_048_576
const restMs = 5_000

/**
 * Memory of the server's process after a forced collection of garbage. For one auction it is the heap and the memory outside
 * it for the heap's objects: the system counts in steps that are larger than an auction. For a thousand connections it is
 * the resident memory, which contains sockets and buffers too, both times after a rest in which V8 returns memory.
 */
export const memory: Row = {
  id: 'memory',
  about: 'memory of an open auction, and of 1,000 idle backers',
  async run(context) {
    const auctions = await measureAuctions(context)
    await using stack = new AsyncDisposableStack()
    const stand = await startStand({ makers: idleBackers })
    stack.defer(stand.stop)
    const idle: { resident: number; heap: number }[] = []
    for (let round = 1; round <= context.rounds; round += 1) {
      context.progress(`${idleBackers} idle backers, round ${round} of ${context.rounds}`)
      idle.push(await measureIdleBackers(stand))
    }
    const heap = idle.map((one) => one.heap)
    return [
      {
        what: `memory of one open auction with ${backers} backers and ${backers} quotes`,
        unit: 'MiB',
        figure: figureOf(auctions),
        ...goals.auctionMemory,
        notes: ['heap and external after a forced collection, each further auction beside those that are open'],
      },
      {
        what: `memory of ${idleBackers} idle backers, over idle`,
        unit: 'MiB',
        figure: figureOf(idle.map(({ resident }) => resident)),
        ...goals.idleBackersMemory,
        notes: [`resident, a fresh server each time; of that ${noteOf(heap, 'MiB', 1)} heap and external`],
      },
    ]
  },
}

/** Opens one auction after the other, all of which are answered and stay open. */
async function measureAuctions({ rounds, progress }: RowContext): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const stand = await startLoadStand({ makers: backers, auctionMs: 600_000 })
  stack.defer(stand.stop)
  const participants = await createParticipants(stand)
  stack.defer(participants.close)
  let [before, opened] = [Number.NaN, 0]
  const measure = async () => {
    void participants.requestQuotes()
    opened += 1
    if ((await participants.answered(backers * opened, 30_000)) > 0) throw new TypeError('A quote got no answer.')
    const { heap } = (await stand.probe.collect()).memory
    const used = (heap - before) / mebibyte
    before = heap
    return used
  }
  await measure()
  // Awaited here: the stand stops when this function returns.
  return await inRounds({ rounds, progress }, measure)
}

/** In MiB, of a fresh server before the stand's chain. */
async function measureIdleBackers({ devnet, makers, domain }: Stand): Promise<{ resident: number; heap: number }> {
  await using stack = new AsyncDisposableStack()
  const probe = createServerProbe()
  const server = await startProgram(serverMain, { RPC_URL: devnet.rpcUrl, ...probe.settings })
  stack.defer(server.stop)
  const wsUrl = `${server.url.replace(/^http/, 'ws')}/ws/rfq`
  const before = await memoryAtRest(probe)
  for (let start = 0; start < idleBackers; start += 50) {
    const group = makers.slice(start, start + 50)
    for (const backer of await Promise.all(group.map((maker) => connectBacker(wsUrl, maker, domain)))) {
      stack.defer(() => backer.close())
    }
  }
  const after = await memoryAtRest(probe)
  return { resident: (after.rss - before.rss) / mebibyte, heap: (after.heap - before.heap) / mebibyte }
}

async function memoryAtRest(probe: ServerProbe) {
  await probe.collect()
  await sleep(restMs)
  return (await probe.collect()).memory
}
