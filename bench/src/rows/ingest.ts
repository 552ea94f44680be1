import { goals } from '../goals.ts'
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

/** The steady load, as a share of the capacity that the turns before it have found, and how many seconds it lasts in a round. */
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
    const { findings, capacity } = await measureCapacity(context, stand, {
      ours: stand.url,
      rival: rival.url,
      raw: rawDoor.url,
    })
    await rival.stop()
    await rawDoor.stop()
    return { findings: [...findings, await measureLatency(context, stand, capacity)] }
  },
}

type Urls = { ours: string; rival: string; raw: string }

/** Full speed, in turns: the same quotes for each side. `capacity` is ours, in quotes per second. */
async function measureCapacity(
  { rounds, progress }: RowContext,
  stand: Stand,
  urls: Urls,
): Promise<{ findings: Finding[]; capacity: number }> {
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
  const findings: Finding[] = [
    {
      what: 'durable POST /quotes',
      rival: 'Express 5 + viem + a commit each, the same checks',
      unit: 'x',
      figure: ratioOf(rates('ours'), rates('rival')),
      ...goals.durablePost,
      notes: [`ours: ${rate('ours')}`, `rival: ${rate('rival')}`],
    },
    {
      what: 'durable POST /quotes against raw http',
      rival: 'a bare http.createServer with the same pipeline behind it',
      unit: 'x',
      figure: ratioOf(rates('ours'), rates('raw')),
      ...goals.durablePostAgainstRawHttp,
      notes: [`raw: ${rate('raw')}`],
    },
  ]
  return { findings, capacity: figureOf(rates('ours')).median }
}

/** Requests fall due at a steady rate, however late the server is; latencies count from then. */
async function measureLatency({ rounds, progress }: RowContext, stand: Stand, capacity: number): Promise<Finding> {
  const rate = Math.round(capacity * steadyShare)
  const results: RequestResult[] = []
  for (let round = 1; round <= rounds; round += 1) {
    progress('signing quotes')
    const bodies = quoteBodies(await signQuotes(stand, rate * steadySeconds))
    progress(`round ${round} of ${rounds}: ${rate} requests per second for ${steadySeconds} s`)
    results.push(await post(stand.url, bodies, { rate, connections: 256 }))
  }
  const latency = (name: keyof RequestResult['latencies']) => figureOf(results.map(({ latencies }) => latencies[name]))
  const answered = figureOf(results.map(({ perSecond }) => perSecond)).median
  const [p50, p999, most] = (['p50', 'p999', 'most'] as const).map((name) => latency(name).median.toFixed(1))
  return {
    what: `durable POST /quotes, p99 at ${steadyShare * 100} % of the measured capacity`,
    unit: 'ms',
    figure: latency('p99'),
    ...goals.durablePostLatency,
    notes: [`${rate} requests, ${Math.round(answered)} answers per second: p50 ${p50}, p99.9 ${p999}, most ${most} ms`],
  }
}

function post(
  url: string,
  bodies: readonly string[],
  how: { connections: number; rate?: number; seconds?: number },
): Promise<RequestResult> {
  return sendRequests({ url, path: '/api/v1/quotes', bodies, status: 201, ...how })
}
