import { postQuotes } from '../clients/postQuotes.ts'
import { alternate, inRounds } from '../compare.ts'
import { figureOf, ratioOf } from '../figures.ts'
import { type Fixture, startFixture, startProgram, startRival } from '../fixture/startFixture.ts'
import { quoteBody } from '../quotes.ts'
import type { Row, RowContext } from '../row.ts'

/** Duration of a side's slice at full speed, in seconds. */
const turnSeconds = 1.5
const turnQuotes = 10_000
const connections = 128

/** Steady load as a share of the measured capacity. */
const steadyShare = 0.6
const steadySeconds = 3

/**
 * Durable `POST /api/v1/quotes`. Each quote is verified, judged against a real chain's state, and committed with
 * `synchronous = FULL`. All sides use the same chain, with separate databases. Any response other than 201 fails the
 * row.
 */
export const ingest: Row = {
  id: 'ingest',
  about: 'durable POST /quotes, against Express 5 + viem with a commit per quote, and against raw HTTP',
  async run(context) {
    await using fixture = await startFixture()
    const rates = await measureCapacity(fixture, context)
    // Requests are due at a steady rate even if the server falls behind. Latencies are measured from the due time.
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
    // All sides receive the same quotes.
    if (round !== ofRound) [bodies, ofRound] = [fixture.sign(turnQuotes).map(quoteBody), round]
    return (await postQuotes([urls[side]], bodies, { seconds: turnSeconds, connections })).perSecond
  })
}
