import { createParticipants } from '../clients/createParticipants.ts'
import { inRounds } from '../compare.ts'
import { figureOf } from '../figures.ts'
import { startFixture } from '../fixture/startFixture.ts'
import type { Row } from '../row.ts'

const backers = 200
const auctions = 20
/** Timeout for the last answers, in milliseconds. A quote with no answer by then counts as unanswered. */
const settleMs = 20_000

/**
 * 200 backers answer 20 concurrent auctions simultaneously. The event loop is observed from the first RFQ to the last
 * close. The period up to the last acknowledgement is the busiest.
 */
export const auctionLoad: Row = {
  id: 'auction-load',
  about: 'event-loop delay, answers and closes while 200 backers answer 20 concurrent auctions',
  async run(context) {
    await using fixture = await startFixture(backers, { AUCTION_DURATION_MS: '6000' })
    const { server } = fixture
    await using participants = await createParticipants({ ...fixture, urls: [server.url], wsUrls: [server.wsUrl] })
    const { close, failures } = participants.figures
    let unanswered = 0
    const rounds = await inRounds(context, async (round) => {
      participants.prepare(auctions)
      const closesBefore = close.length
      await server.call('reset')
      const ends = Array.from({ length: auctions }, () => participants.requestQuotes())
      await Promise.race([participants.answered(backers * auctions * (round + 1), settleMs), Promise.all(ends)])
      const answering = await server.call('delay')
      await server.call('reset')
      await Promise.all(ends)
      unanswered += await participants.settle(settleMs)
      const closing = await server.call('delay')
      return { delay: Math.max(answering.p99, closing.p99), close: Math.max(...close.slice(closesBefore)) }
    })
    if (failures.size > 0)
      throw new TypeError(`A backer or an auction stream was disconnected: ${[...failures.keys()]}`)
    return {
      eventLoopDelay: figureOf(rounds.map(({ delay }) => delay)),
      unansweredQuotes: figureOf([unanswered]),
      closeDelay: figureOf(rounds.map((round) => round.close)),
    }
  },
}
