import { setTimeout as sleep } from 'node:timers/promises'
import { goals } from '../goals.ts'
import { connectBacker } from '../load/connectBacker.ts'
import { createParticipants } from '../load/createParticipants.ts'
import { type LoadStand, startLoadStand } from '../load/startLoadStand.ts'
import type { Row } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'

const backers = 200
const idleBackers = 1_000
const mebibyte = 1_048_576
const restMs = 8_000

/**
 * Memory of the server's process after a forced collection of garbage. For one auction it is what lives on the heap and,
 * outside of it, for the heap's objects: the system counts in steps that are larger than an auction. For a thousand
 * connections it is what the system counts as resident, which sockets and buffers outside of the heap are in too, both
 * times after a rest in which V8 gives back what the garbage of the start and of the logins has taken.
 */
export const memory: Row = {
  id: 'memory',
  about: 'memory of an open auction, and of 1,000 idle backers',
  async run({ rounds, progress }) {
    const auctions = await measureAuctions(rounds)
    progress(`an open auction: ${auctions.map((value) => value.toFixed(2)).join(', ')} MiB`)
    const resident: number[] = []
    const heap: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const idle = await measureIdleBackers()
      resident.push(idle.resident)
      heap.push(idle.heap)
      progress(`round ${round} of ${rounds}: ${idleBackers} idle backers ${idle.resident.toFixed(1)} MiB resident`)
    }
    return {
      findings: [
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
          figure: figureOf(resident),
          ...goals.idleBackersMemory,
          notes: [
            `resident, a fresh server each time; of that ${figureOf(heap).median.toFixed(1)} MiB heap and external`,
          ],
        },
      ],
    }
  },
}

/** Opens one auction after the other and lets all of them be answered; none closes meanwhile. */
async function measureAuctions(rounds: number): Promise<number[]> {
  await using stack = new AsyncDisposableStack()
  const stand = await startLoadStand({ makers: backers, auctionMs: 600_000 })
  stack.defer(stand.stop)
  const participants = await createParticipants(stand)
  stack.defer(participants.close)
  const used: number[] = []
  let before = Number.NaN
  // The first two warm everything up and do not count.
  for (let round = -1; round <= rounds; round += 1) {
    void participants.requestQuotes()
    if ((await participants.answered(backers * (round + 2), 30_000)) > 0) throw new TypeError('A quote got no answer.')
    const { memory } = await stand.probe.collect()
    if (round > 0) used.push((memory.heap - before) / mebibyte)
    before = memory.heap
  }
  return used
}

async function measureIdleBackers(): Promise<{ resident: number; heap: number }> {
  await using stack = new AsyncDisposableStack()
  const stand = await startLoadStand({ makers: idleBackers, auctionMs: 15_000 })
  stack.defer(stand.stop)
  const before = await memoryAtRest(stand)
  for (let start = 0; start < idleBackers; start += 50) {
    const group = stand.makers.slice(start, start + 50)
    for (const backer of await Promise.all(group.map((maker) => connectBacker(stand.wsUrl, maker, stand.domain)))) {
      stack.defer(() => backer.close())
    }
  }
  const after = await memoryAtRest(stand)
  return { resident: (after.rss - before.rss) / mebibyte, heap: (after.heap - before.heap) / mebibyte }
}

async function memoryAtRest({ probe }: LoadStand) {
  await probe.collect()
  await sleep(restMs)
  return (await probe.collect()).memory
}
