import { postQuotes } from '../clients/postQuotes.ts'
import { alternate, inRounds } from '../compare.ts'
import { figureOf, ratioOf } from '../figures.ts'
import { type Fixture, startFixture, startProgram, startRival } from '../fixture/startFixture.ts'
import { quoteBody } from '../quotes.ts'
import type { Row, RowContext } from '../row.ts'

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
    await using fixture = await startFixture()
    const rates = await measureCapacity(fixture, context)
    // Requests fall due at a steady rate, however late the server is; latencies count from then.
    const rate = Math.round(figureOf(rates.ours).median * steadyShare)
    const p99 = await inRounds(context, async (round) => {
      const bodies = fixture.sign(rate * (round === 0 ? 1 : steadySeconds)).map(quoteBody)
      return (await postQuotes([fixture.server.url], bodies, { rate, connections: 2 * connections })).latencies.p99
    })
    return {
      durablePost: ratioOf(rates.ours, rates.rival, 'a second'),
      durablePostAgainstRawHttp: ratioOf(rates.ours, rates.raw, 'a second'),
      durablePostLatency: figureOf(p99),
    }
  },
}

async function measureCapacity(fixture: Fixture, context: RowContext) {
  await using rival = await startRival(fixture)
  const rawDoor = new URL('../rivalStack/rawDoor.ts', import.meta.url)
  await using raw = await startProgram(rawDoor, { RPC_URL: fixture.devnet.rpcUrl })
  const urls = { ours: fixture.server.url, rival: rival.url, raw: raw.url }
  let [bodies, ofRound]: [string[], number] = [[], -1]
  return await alternate(['ours', 'rival', 'raw'], context, async (side, round) => {
    // The same quotes for each side.
    if (round !== ofRound) [bodies, ofRound] = [fixture.sign(turnQuotes).map(quoteBody), round]
    return (await postQuotes([urls[side]], bodies, { seconds: turnSeconds, connections })).perSecond
  })
}
