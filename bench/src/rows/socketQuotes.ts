import { inRounds } from '../compare.ts'
import { noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { startRival } from '../rivalStack/startRival.ts'
import type { Row } from '../row.ts'
import { connectBackers } from '../stand/backers.ts'
import { requestQuotes } from '../stand/borrower.ts'
import { signAnswers } from '../stand/signQuotes.ts'
import { startStand } from '../stand/startStand.ts'

const backerCount = 1_000
/** How many RFQs the backers answer in a turn, one quote of each for each RFQ. */
const rfqsPerTurn = 5
/** The rival is slow: only this number of backers answer it, one RFQ a turn. */
const rivalAnswers = 300

/**
 * Socket quote to acknowledgement: authenticated backers answer RFQs over `/ws/rfq`. Every quote is verified, judged by the
 * state of a real chain and on disk before it is acknowledged; one that is not accepted fails the row.
 */
export const socketQuotes: Row = {
  id: 'socket-quotes',
  about: 'a quote on a socket until its ack, against the same with viem',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    // No auction closes while quotes are counted.
    const stand = await startStand({ makers: backerCount, settings: { AUCTION_DURATION_MS: '600000' } })
    stack.defer(stand.stop)
    const rival = await startRival(stand)
    stack.defer(rival.stop)
    context.progress(`${backerCount} backers connect to each side`)
    const ourBackers = await connectBackers(stand.makers, stand.wsUrl)
    stack.defer(ourBackers.stop)
    const rivalBackers = await connectBackers(stand.makers, `${rival.url.replace(/^http/, 'ws')}/ws/rfq`)
    stack.defer(rivalBackers.stop)
    const open = (url: string, count: number) => () => {
      // The RFQs stay open; their ends are not awaited.
      for (let rfq = 0; rfq < count; rfq += 1) requestQuotes(url, stand).catch(() => {})
    }
    const rounds = await inRounds(context, async () => {
      const [first = [], ...others] = await signAnswers(stand, rfqsPerTurn + 1)
      return {
        burst: await ourBackers.answer([first], open(stand.url, 1)),
        ours: await ourBackers.answer(others, open(stand.url, rfqsPerTurn)),
        rival: await rivalBackers.answer([first.slice(0, rivalAnswers)], open(rival.url, 1)),
      }
    })
    const [ours, theirs] = [rounds.map((round) => round.ours.perSecond), rounds.map((round) => round.rival.perSecond)]
    const bursts = rounds.map(({ burst }) => burst.elapsedMs)
    const halves = rounds.map(({ burst }) => burst.latencies.p50)
    return [
      {
        what: 'socket quote to acknowledgement',
        rival: 'ws + viem + a commit each, the same checks',
        unit: 'x',
        figure: ratioOf(ours, theirs),
        ...goals.socketQuote,
        notes: [`ours ${noteOf(ours, 'per second')}, rival ${noteOf(theirs, 'per second')}`],
      },
      {
        what: `${backerCount} quotes at once, until the last acknowledgement`,
        rival: `the time of ${backerCount} quotes at the capacity of the same round`,
        unit: 'x',
        figure: ratioOf(
          bursts,
          ours.map((perSecond) => (backerCount * 1_000) / perSecond),
        ),
        ...goals.socketBurst,
        notes: [`${noteOf(bursts, 'ms')}, half of them after ${noteOf(halves, 'ms')}`],
      },
    ]
  },
}
