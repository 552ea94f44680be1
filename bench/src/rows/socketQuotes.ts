import { createParticipants } from '../clients/createParticipants.ts'
import type { AuctionEnd } from '../clients/openAuction.ts'
import { inRounds } from '../compare.ts'
import { ratioOf } from '../figures.ts'
import { longAuctions, startFixture, startRival } from '../fixture/startFixture.ts'
import type { Series } from '../quotes.ts'
import type { Row } from '../row.ts'

const backerCount = 1_000
/** Number of RFQs answered in a slice. Each backer sends one quote per RFQ. */
const rfqsPerTurn = 4
/** Number of backers that answer the rival, which is slow. Each of these backers answers one RFQ per slice. */
const rivalAnswers = 300

/**
 * Time from sending a quote on a socket to its acknowledgement. Authenticated backers answer RFQs over `/ws/rfq`. Each
 * quote is verified, judged against a real chain's state and stored durably before it is acknowledged. A rejected quote
 * fails the row.
 */
export const socketQuotes: Row = {
  id: 'socket-quotes',
  about: 'a quote on a socket until its acknowledgement, against the same with viem',
  async run(context) {
    // Ensures that no auction closes during the measurement.
    await using fixture = await startFixture(backerCount, longAuctions)
    await using rival = await startRival(fixture)
    context.progress(`${backerCount} backers connect to each side`)
    const join = ({ url, wsUrl }: { url: string; wsUrl: string }, answering: number) =>
      createParticipants({ ...fixture, urls: [url], wsUrls: [wsUrl], open, answers: (backer) => backer < answering })
    await using ours = await join(fixture.server, backerCount)
    await using theirs = await join(rival, rivalAnswers)
    const rounds = await inRounds(context, async () => {
      ours.prepare(rfqsPerTurn + 1)
      theirs.prepare(1)
      return {
        burst: await ours.answerTogether(1),
        ours: await ours.answerTogether(rfqsPerTurn),
        rival: await theirs.answerTogether(1),
      }
    })
    const perSecond = (side: 'ours' | 'rival') => rounds.map(({ [side]: { count, ms } }) => (count * 1_000) / ms)
    const bursts = rounds.map(({ burst }) => burst.ms)
    const atCapacity = perSecond('ours').map((rate) => (backerCount * 1_000) / rate)
    return {
      socketQuote: ratioOf(perSecond('ours'), perSecond('rival'), 'a second'),
      socketBurst: ratioOf(bursts, atCapacity, 'ms'),
    }
  },
}

/**
 * Requests quotes without an event stream, which the rival does not support. The response arrives when the auction
 * closes.
 */
async function open(url: string, series: Series, notional: bigint): Promise<AuctionEnd> {
  const body = JSON.stringify({ ...series, notional: String(notional) })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/rfq/quote`, { method: 'POST', headers, body })
  return { outcome: answer.ok ? 'done' : 'broken', code: String(answer.status), delayMs: 0, quoteCount: 0 }
}
