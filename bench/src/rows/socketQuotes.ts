import { goals } from '../goals.ts'
import { startRival } from '../rivalStack/startRival.ts'
import type { Row } from '../row.ts'
import { type AnswerResult, type Backers, connectBackers } from '../stand/connectBackers.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

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
  async run({ rounds, progress }) {
    await using stack = new AsyncDisposableStack()
    // No auction closes while quotes are counted.
    const stand = await startStand({ makers: backerCount, settings: { AUCTION_DURATION_MS: '600000' } })
    stack.defer(stand.stop)
    const rival = await startRival(stand)
    stack.defer(rival.stop)
    const join = async (url: string): Promise<Backers> => {
      const wsUrl = `${url.replace(/^http/, 'ws')}/ws/rfq`
      const backers = await connectBackers({ wsUrl, keys: stand.makers.map(({ privateKey }) => privateKey) })
      stack.defer(backers.stop)
      return backers
    }
    progress(`${backerCount} backers connect to each side`)
    const [ourBackers, rivalBackers] = [await join(stand.url), await join(rival.url)]
    const results = { burst: [] as AnswerResult[], ours: [] as AnswerResult[], rival: [] as AnswerResult[] }
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const quotes = await signAnswers(stand, rfqsPerTurn + 1)
      const [burst = [], ...others] = quotes
      const turns = [
        { side: 'burst', backers: ourBackers, url: stand.url, answers: [burst] },
        { side: 'ours', backers: ourBackers, url: stand.url, answers: others },
        { side: 'rival', backers: rivalBackers, url: rival.url, answers: [burst.slice(0, rivalAnswers)] },
      ] as const
      for (const { side, backers, url, answers } of turns) {
        const result = await backers.answer(answers, () => openRfqs(stand, url, answers.length))
        const { acks, elapsedMs, perSecond } = result
        progress(
          `round ${round} of ${rounds}, ${side}: ${acks} in ${elapsedMs.toFixed(0)} ms, ${perSecond.toFixed(0)}/s`,
        )
        if (round > 0) results[side].push(result)
      }
    }
    const rates = (side: 'ours' | 'rival') => results[side].map(({ perSecond }) => perSecond)
    const rate = (side: 'ours' | 'rival') => `${Math.round(figureOf(rates(side)).median)} per second`
    return {
      findings: [
        {
          what: 'socket quote to acknowledgement',
          rival: 'ws + viem + a commit each, the same checks',
          unit: 'x',
          figure: ratioOf(rates('ours'), rates('rival')),
          ...goals.socketQuote,
          notes: [`ours: ${rate('ours')}`, `rival: ${rate('rival')}`],
        },
        {
          what: `${backerCount} quotes at once, until the last acknowledgement`,
          rival: `the time of ${backerCount} quotes at the capacity of the same round`,
          unit: 'x',
          figure: ratioOf(
            results.burst.map(({ elapsedMs }) => elapsedMs),
            rates('ours').map((perSecond) => (backerCount * 1_000) / perSecond),
          ),
          ...goals.socketBurst,
          notes: [
            `${figureOf(results.burst.map(({ elapsedMs }) => elapsedMs)).median.toFixed(0)} ms, half of them after ${figureOf(results.burst.map(({ latencies }) => latencies.p50)).median.toFixed(0)} ms`,
          ],
        },
      ],
    }
  },
}

/** A list for each RFQ with a quote of each backer. */
async function signAnswers(stand: Stand, rfqs: number): Promise<string[][]> {
  const { poolId, seriesKey } = termsOf(stand)
  const bodies = quoteBodies(await signQuotes(stand, rfqs * backerCount, { poolId, seriesKey }))
  return Array.from({ length: rfqs }, (_, rfq) => bodies.slice(rfq * backerCount, (rfq + 1) * backerCount))
}

/** Opens RFQs and leaves them open; how they end is not waited for. */
function openRfqs(stand: Stand, url: string, count: number): void {
  const body = JSON.stringify({ ...termsOf(stand), notional: '1000000000' })
  for (let rfq = 0; rfq < count; rfq += 1) {
    fetch(`${url}/api/v1/rfq/quote`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then((answer) => answer.arrayBuffer())
      .catch(() => {})
  }
}

function termsOf({ pools: [pool] }: Stand) {
  const seriesKey = pool.series[1]?.seriesKey ?? pool.poolId
  return { poolId: pool.poolId, seriesKey }
}
