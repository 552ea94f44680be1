import { goals } from '../goals.ts'
import { createParticipants } from '../load/createParticipants.ts'
import { percentilesOf } from '../load/percentiles.ts'
import { startLoadStand } from '../load/startLoadStand.ts'
import type { Row } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'

const backers = 200
const auctions = 20
const auctionMs = 8_000
/** How long the last answers may take; a quote without one by then counts as unanswered. */
const settleMs = 20_000

/**
 * 200 backers answer 20 auctions that open together, at once. The event loop is watched from the first RFQ until the last
 * acknowledgement, when it is busiest, and until the last auction has closed.
 */
export const auctionLoad: Row = {
  id: 'auction-load',
  about: 'event loop, answers and closes while 200 backers answer 20 auctions at once',
  async run({ rounds, progress }) {
    await using stack = new AsyncDisposableStack()
    const stand = await startLoadStand({ makers: backers, auctionMs })
    stack.defer(stand.stop)
    const participants = await createParticipants(stand)
    stack.defer(participants.close)

    const delays: number[] = []
    const longest: number[] = []
    const closings: number[] = []
    const acknowledgements: number[] = []
    let unanswered = 0
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      participants.prepare(auctions)
      const { acknowledgement, close } = participants.figures
      const [acksBefore, closesBefore] = [acknowledgement.length, close.length]
      await stand.probe.reset()
      const ends = Array.from({ length: auctions }, () => participants.requestQuotes())
      await Promise.race([participants.answered(backers * auctions * (round + 1), settleMs), Promise.all(ends)])
      const answering = await stand.probe.reset()
      await Promise.all(ends)
      unanswered += await participants.settle(settleMs)
      const closing = await stand.probe.state()
      if (round === 0) continue
      const acks = percentilesOf(acknowledgement.slice(acksBefore))
      delays.push(Math.max(answering.delay.p99, closing.delay.p99))
      longest.push(Math.max(answering.delay.max, closing.delay.max))
      closings.push(percentilesOf(close.slice(closesBefore)).max)
      acknowledgements.push(acks.p99)
      const shown = (value: number) => `${value.toFixed(1)} ms`
      progress(
        `round ${round} of ${rounds}: event loop p99 ${shown(answering.delay.p99)} answering, ${shown(closing.delay.p99)} closing, acknowledged ${acks.count}, p99 ${shown(acks.p99)}, last close ${shown(closings.at(-1) ?? Number.NaN)} late`,
      )
    }
    const { lost, broken, verdicts } = participants.figures
    if (lost.size > 0 || broken.size > 0) throw new TypeError('A backer was cut off, or an auction broke off.')
    const none = figureOf([unanswered])
    return {
      findings: [
        {
          what: `event-loop delay while ${backers} backers answer ${auctions} auctions, p99`,
          unit: 'ms',
          figure: figureOf(delays),
          ...goals.eventLoopDelay,
          notes: [
            `longest delay ${figureOf(longest).median.toFixed(1)} ms`,
            `acknowledgement p99 ${figureOf(acknowledgements).median.toFixed(0)} ms, all ${backers * auctions} quotes sent together`,
          ],
        },
        {
          what: 'quotes without an answer in all of these auctions',
          unit: 'requests',
          figure: none,
          ...goals.unansweredQuotes,
          notes: [`answers: ${[...verdicts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`],
        },
        {
          what: `promised close to the event done, the last of ${auctions} that close together`,
          unit: 'ms',
          figure: figureOf(closings),
          ...goals.closeDelay,
        },
      ],
    }
  },
}
