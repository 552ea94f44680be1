import { alternate, inRounds } from '../compare.ts'
import { figureOf, noteOf, ratioOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { startRawDoor, startRival } from '../rivalStack/startRival.ts'
import type { Row } from '../row.ts'
import { postQuotes } from '../stand/postQuotes.ts'
import { signBodies } from '../stand/signQuotes.ts'
import { startStand } from '../stand/startStand.ts'

/** How long a side sends at full speed in its turn, in seconds, and with how many quotes at hand. */
const turnSeconds = 1.5
const turnQuotes = 12_000
const connections = 128

/** The steady load, as a share of the measured capacity, and how many seconds it lasts in a round. */
const steadyShare = 0.6
const steadySeconds = 5

/**
 * Durable `POST /api/v1/quotes`: verified, judged by the state of a real chain, committed with `synchronous = FULL`.
 * Every answer is 201, or the row fails. All sides judge before the same chain, each with a database of its own.
 */
export const ingest: Row = {
  id: 'ingest',
  about: 'durable POST /quotes, against Express 5 + viem + a commit each, and against raw http',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const stand = await startStand()
    stack.defer(stand.stop)
    const rival = await startRival(stand)
    stack.defer(rival.stop)
    const rawDoor = await startRawDoor(stand)
    stack.defer(rawDoor.stop)

    const urls = { ours: stand.url, rival: rival.url, raw: rawDoor.url }
    let [bodies, ofRound]: [string[], number] = [[], -1]
    const rates = await alternate(['ours', 'rival', 'raw'], context, async (side, round) => {
      // The same quotes for each side.
      if (round !== ofRound) [bodies, ofRound] = [await signBodies(stand, turnQuotes), round]
      return (await postQuotes(urls[side], bodies, { seconds: turnSeconds, connections })).perSecond
    })
    await rival.stop()
    await rawDoor.stop()

    // Requests fall due at a steady rate, however late the server is; latencies count from then.
    const rate = Math.round(figureOf(rates.ours).median * steadyShare)
    const steady = await inRounds(context, async (round) => {
      const seconds = round === 0 ? 1 : steadySeconds
      return postQuotes(stand.url, await signBodies(stand, rate * seconds), { rate, connections: 2 * connections })
    })
    const latency = (name: 'p50' | 'p99' | 'max') => steady.map(({ latencies }) => latencies[name])
    const answers = noteOf(
      steady.map(({ perSecond }) => perSecond),
      'answers per second',
    )
    return [
      {
        what: 'durable POST /quotes',
        rival: 'Express 5 + viem + a commit each, the same checks',
        unit: 'x',
        figure: ratioOf(rates.ours, rates.rival),
        ...goals.durablePost,
        notes: [`ours ${noteOf(rates.ours, 'per second')}, rival ${noteOf(rates.rival, 'per second')}`],
      },
      {
        what: 'durable POST /quotes against raw http',
        rival: 'a bare http.createServer with the same pipeline behind it',
        unit: 'x',
        figure: ratioOf(rates.ours, rates.raw),
        ...goals.durablePostAgainstRawHttp,
        notes: [`raw ${noteOf(rates.raw, 'per second')}`],
      },
      {
        what: `durable POST /quotes, p99 at ${steadyShare * 100} % of the measured capacity`,
        unit: 'ms',
        figure: figureOf(latency('p99')),
        ...goals.durablePostLatency,
        notes: [
          `${rate} requests, ${answers}: p50 ${noteOf(latency('p50'), 'ms', 1)}, most ${noteOf(latency('max'), 'ms', 1)}`,
        ],
      },
    ]
  },
}
