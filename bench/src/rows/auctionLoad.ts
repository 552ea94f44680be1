import { inRounds } from '../compare.ts'
import { figureOf, noteOf, percentilesOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { createParticipants } from '../load/createParticipants.ts'
import { startLoadStand } from '../load/serverProbe.ts'
import type { Row } from '../row.ts'

const backers = 200
const auctions = 20
const auctionMs = 6_000
/** How long the last answers may take; a quote without one by then counts as unanswered. */
const settleMs = 20_000

/**
 * 200 backers answer 20 auctions that open together, at once. The event loop is watched from the first RFQ until the last
 * acknowledgement, when it is busiest, and until the last auction has closed.
 */
export const auctionLoad: Row = {
  id: 'auction-load',
  about: 'event loop, answers and closes while 200 backers answer 20 auctions at once',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const stand = await startLoadStand({ makers: backers, auctionMs })
    stack.defer(stand.stop)
    const participants = await createParticipants(stand)
    stack.defer(participants.close)
    const { acknowledgement, close, lost, broken, verdicts } = participants.figures
    let unanswered = 0
    const rounds = await inRounds(context, async (round) => {
      participants.prepare(auctions)
      const [acksBefore, closesBefore] = [acknowledgement.length, close.length]
      await stand.probe.reset()
      const ends = Array.from({ length: auctions }, () => participants.requestQuotes())
      await Promise.race([participants.answered(backers * auctions * (round + 1), settleMs), Promise.all(ends)])
      const answering = await stand.probe.reset()
      await Promise.all(ends)
      unanswered += await participants.settle(settleMs)
      const closing = await stand.probe.state()
      return {
        delay: Math.max(answering.delay.p99, closing.delay.p99),
        longest: Math.max(answering.delay.max, closing.delay.max),
        close: percentilesOf(close.slice(closesBefore)).max,
        acknowledgement: percentilesOf(acknowledgement.slice(acksBefore)).p99,
      }
    })
    if (lost.size > 0 || broken.size > 0) throw new TypeError('A backer was cut off, or an auction broke off.')
    const of = (which: keyof (typeof rounds)[number]) => rounds.map((round) => round[which])
    return [
      {
        what: `event-loop delay while ${backers} backers answer ${auctions} auctions, p99`,
        unit: 'ms',
        figure: figureOf(of('delay')),
        ...goals.eventLoopDelay,
        notes: [
          `longest delay ${noteOf(of('longest'), 'ms', 1)}`,
          `acknowledgement p99 ${noteOf(of('acknowledgement'), 'ms')}, all ${backers * auctions} quotes sent together`,
        ],
      },
      {
        what: 'quotes without an answer in all of these auctions',
        unit: 'requests',
        figure: figureOf([unanswered]),
        ...goals.unansweredQuotes,
        notes: [`answers: ${[...verdicts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`],
      },
      {
        what: `promised close to the event done, the last of ${auctions} that close together`,
        unit: 'ms',
        figure: figureOf(of('close')),
        ...goals.closeDelay,
      },
    ]
  },
}
