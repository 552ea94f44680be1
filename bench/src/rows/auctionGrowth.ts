import { setTimeout as sleep } from 'node:timers/promises'
import { goals } from '../goals.ts'
import { createParticipants, type Participants } from '../load/createParticipants.ts'
import { type LoadStand, startLoadStand } from '../load/startLoadStand.ts'
import type { Row } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'

const backers = 50
const quotesPerAuction = 5

/** How many auctions are open together, how long each of them, and how often that is repeated in one measurement. */
const sizes = [
  { size: 1, auctionMs: 1_500, times: 8 },
  { size: 10, auctionMs: 1_500, times: 6 },
  { size: 100, auctionMs: 2_000, times: 3 },
  { size: 1_000, auctionMs: 10_000, times: 1 },
] as const
/** A server that has just started answers its first quotes slowly: these auctions are not measured. */
const firstAuctions = 20
/** The message limit of a socket suffices for one measurement and is restored after this time. */
const refillMs = 10_000

/**
 * Processor time of the server's process, all threads, for one auction: opening, the broadcast, five quotes
 * verified, judged and on disk, the close. What an idle server takes in the same time is not counted.
 */
export const auctionGrowth: Row = {
  id: 'auction-growth',
  about: 'processor time of an auction while 1 to 1,000 are open',
  async run({ rounds, progress }) {
    const points: { size: number; costs: number[] }[] = []
    for (const { size, auctionMs, times } of sizes) {
      await using stack = new AsyncDisposableStack()
      const stand = await startLoadStand({ makers: backers, auctionMs })
      stack.defer(stand.stop)
      // Each auction is answered by the next five backers, so that none of them sends more than a socket may.
      const participants = await createParticipants({ ...stand, answers: isNext })
      stack.defer(participants.close)
      participants.prepare(Math.ceil((firstAuctions * quotesPerAuction) / backers))
      await Promise.all(Array.from({ length: firstAuctions }, () => participants.requestQuotes()))
      const costs: number[] = []
      // The first round warms everything up and does not count.
      for (let round = 0; round <= rounds; round += 1) {
        const cost = await measure(stand, participants, { size, times })
        if (round > 0) costs.push(cost)
        if (round < rounds) await sleep(refillMs)
      }
      points.push({ size, costs })
      progress(`${size} open: ${Math.round(figureOf(costs).median)} µs of processor time for each auction`)
    }
    const [base, most] = [points[1]?.costs ?? [], points.at(-1)?.costs ?? []]
    return {
      findings: [
        {
          what: 'an auction among 1,000 open ones',
          rival: 'the same among 10',
          unit: 'x',
          figure: figureOf(most.map((cost, round) => cost / (base[round] ?? Number.NaN))),
          ...goals.auctionGrowth,
          notes: points.map(({ size, costs }) => `${size} open: ${Math.round(figureOf(costs).median)} µs`),
        },
      ],
      growth: [
        {
          name: 'an auction, from opening to close',
          over: 'open auctions',
          points: points.map(({ size, costs }) => ({ size, cost: figureOf(costs) })),
        },
      ],
    }
  },
}

function isNext(backer: number, rfq: number): boolean {
  const first = (rfq * quotesPerAuction) % backers
  return backer >= first && backer < first + quotesPerAuction
}

/** Microseconds for each auction. */
async function measure(
  { probe }: LoadStand,
  participants: Participants,
  { size, times }: { size: number; times: number },
) {
  participants.prepare(Math.ceil((size * times * quotesPerAuction) / backers))
  const idle = await watch(probe, () => sleep(2_000))
  const busy = await watch(probe, async () => {
    for (let time = 0; time < times; time += 1) {
      const ends = await Promise.all(Array.from({ length: size }, () => participants.requestQuotes()))
      if (ends.some((end) => end.outcome !== 'done' || end.quoteCount !== quotesPerAuction)) {
        throw new TypeError('An auction did not get all of its quotes.')
      }
    }
  })
  return (busy.cpu - (idle.cpu / idle.ms) * busy.ms) / (size * times)
}

async function watch(probe: LoadStand['probe'], act: () => Promise<unknown>): Promise<{ cpu: number; ms: number }> {
  const [{ cpuMicroseconds: before }, started] = [await probe.state(), performance.now()]
  await act()
  const ms = performance.now() - started
  return { cpu: (await probe.state()).cpuMicroseconds - before, ms }
}
