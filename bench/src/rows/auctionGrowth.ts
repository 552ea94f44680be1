import { setTimeout as sleep } from 'node:timers/promises'
import { createParticipants } from '../clients/createParticipants.ts'
import { inRounds } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { type Program, startFixture } from '../fixture/startFixture.ts'
import type { Row, RowContext } from '../row.ts'

const backers = 50
const quotesPerAuction = 5
/** Number of concurrent auctions, their duration, and repetitions per measurement. */
const few = { size: 10, auctionMs: 1_500, times: 4 }
const many = { size: 1_000, auctionMs: 6_000, times: 1 }
/** One measurement uses up a socket's message limit, which refills within this time plus the auctions' duration. */
const refillMs = 3_000
/** Limit on rounds. The figure is far from its goal, so more rounds would not change the verdict. */
const mostRounds = 1

/**
 * CPU time per auction, summed over all threads of the server process. An auction consists of opening, broadcasting,
 * verifying, judging and storing five quotes, and closing. The idle server's CPU time over the same period is
 * subtracted.
 */
export const auctionGrowth: Row = {
  id: 'auction-growth',
  about: 'CPU time of an auction while 10 and 1,000 are open',
  async run({ rounds, progress }) {
    const context = { rounds: Math.min(rounds, mostRounds), progress }
    const [base, most] = [await measure(context, few), await measure(context, many)]
    return { auctionGrowth: ratioOf(most, base, 'µs') }
  },
}

/** Measures microseconds per auction in each round. */
async function measure(context: RowContext, { size, auctionMs, times }: typeof few): Promise<number[]> {
  await using fixture = await startFixture(backers, { AUCTION_DURATION_MS: String(auctionMs) })
  const { server } = fixture
  // The next five backers answer each auction, so that none exceeds its socket's message limit.
  const answers = (backer: number, rfq: number) => {
    const first = (rfq * quotesPerAuction) % backers
    return backer >= first && backer < first + quotesPerAuction
  }
  await using participants = await createParticipants({
    ...fixture,
    urls: [server.url],
    wsUrls: [server.wsUrl],
    answers,
  })
  const open = (count: number) => Promise.all(Array.from({ length: count }, () => participants.requestQuotes()))
  const idle = await watch(server, () => sleep(2_000))
  // The `await` is required, since the fixture stops when this function returns.
  return await inRounds(context, async () => {
    participants.prepare(Math.ceil((size * times * quotesPerAuction) / backers))
    await sleep(refillMs)
    const busy = await watch(server, async () => {
      for (let time = 0; time < times; time += 1) {
        const ends = await open(size)
        if (ends.some((end) => end.outcome !== 'done' || end.quoteCount !== quotesPerAuction)) {
          throw new TypeError('An auction did not receive all of its quotes.')
        }
      }
    })
    return (busy.cpu - (idle.cpu / idle.ms) * busy.ms) / (size * times)
  })
}

async function watch(server: Program, act: () => Promise<unknown>): Promise<{ cpu: number; ms: number }> {
  const [before, started] = [await server.call('cpu'), performance.now()]
  await act()
  const ms = performance.now() - started
  return { cpu: (await server.call('cpu')) - before, ms }
}
