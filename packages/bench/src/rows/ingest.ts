import { startRawDoor, startRival } from '../rivalStack/startRival.ts'
import type { Finding, Row, RowContext } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { type RequestResult, sendRequests } from '../stand/sendRequests.ts'
import { quoteBodies, signQuotes } from '../stand/signQuotes.ts'
import { type Stand, startStand } from '../stand/startStand.ts'

/** How long a side sends at full speed in its turn, in seconds, and with how many quotes at hand. */
const turnSeconds = 1.5
const turnQuotes = 12_000
const turnConnections = 128

/** The steady load, requests per second, and for how many seconds; the easy one is told beside it. */
const steadyRate = 5_000
const easyRate = 2_000
const steadySeconds = 10

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
    const turns = await takeTurns(context, stand, { ours: stand.url, rival: rival.url, raw: rawDoor.url })
    await rival.stop()
    await rawDoor.stop()
    return { findings: [...turns, await holdSteady(context, stand)] }
  },
}

type Urls = { ours: string; rival: string; raw: string }

/** Full speed, in turns: the same quotes for each side. */
async function takeTurns({ rounds, progress }: RowContext, stand: Stand, urls: Urls): Promise<Finding[]> {
  progress('signing quotes')
  const bodies = quoteBodies(await signQuotes(stand, turnQuotes * (rounds + 1)))
  const results: Record<keyof Urls, RequestResult[]> = { ours: [], rival: [], raw: [] }
  // The first round warms everything up and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const some = bodies.slice(round * turnQuotes, (round + 1) * turnQuotes)
    for (const side of ['ours', 'rival', 'raw'] as const) {
      const result = await post(urls[side], some, { seconds: turnSeconds, connections: turnConnections })
      progress(`round ${round} of ${rounds}, ${side}: ${Math.round(result.perSecond)} quotes per second`)
      if (round > 0) results[side].push(result)
    }
  }
  const rates = (side: keyof Urls) => results[side].map(({ perSecond }) => perSecond)
  const rate = (side: keyof Urls) => `${Math.round(figureOf(rates(side)).median)} per second`
  return [
    {
      what: 'durable POST /quotes',
      rival: 'Express 5 + viem + a commit each, the same checks',
      unit: 'x',
      figure: ratioOf(rates('ours'), rates('rival')),
      goal: { least: 15 },
      limit: '28x',
      notes: [`ours: ${rate('ours')}`, `rival: ${rate('rival')}`],
    },
    {
      what: 'durable POST /quotes against raw http',
      rival: 'a bare http.createServer with the same pipeline behind it',
      unit: 'x',
      figure: ratioOf(rates('ours'), rates('raw')),
      goal: { least: 0.95 },
      limit: '1',
      notes: [`raw: ${rate('raw')}`],
    },
  ]
}

/** Requests fall due at a steady rate, whatever the server does; latencies count from then. */
async function holdSteady({ progress }: RowContext, stand: Stand): Promise<Finding> {
  const send = async (rate: number) => {
    progress('signing quotes')
    const bodies = quoteBodies(await signQuotes(stand, rate * steadySeconds))
    progress(`${rate} requests per second for ${steadySeconds} s`)
    const { latencies, perSecond } = await post(stand.url, bodies, { rate, connections: 256 })
    const [p50, p99, p999, most] = (['p50', 'p99', 'p999', 'most'] as const).map((name) => latencies[name].toFixed(1))
    const note = `${rate} requests, ${Math.round(perSecond)} answers per second: p50 ${p50}, p99 ${p99}, p99.9 ${p999}, most ${most} ms`
    return { latencies, note }
  }
  const easy = await send(easyRate)
  const { latencies, note } = await send(steadyRate)
  return {
    what: `durable POST /quotes, p99 at ${steadyRate} per second`,
    unit: 'ms',
    figure: figureOf([latencies.p99]),
    goal: { most: 10 },
    notes: [note, easy.note],
  }
}

function post(
  url: string,
  bodies: readonly string[],
  how: { connections: number; rate?: number; seconds?: number },
): Promise<RequestResult> {
  return sendRequests({ url, path: '/api/v1/quotes', bodies, status: 201, ...how })
}
