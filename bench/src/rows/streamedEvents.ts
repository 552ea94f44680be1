import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RFQStreamEvent, recoverSigner, systemClock } from '@firmquote/core'
import { createLogger } from '@firmquote/program/createLogger'
import { createPromMetrics } from '../../../apps/server/src/adapters/promMetrics.ts'
import { createDoors } from '../../../apps/server/src/start/createDoors.ts'
import {
  createScriptedAuction,
  createScriptedService,
  type ScriptedAuction,
  testDomain,
  testRfq,
} from '../../../apps/server/test/scriptedService.ts'
import { inRounds } from '../compare.ts'
import { figureOf, noteOf, percentilesOf } from '../figures.ts'
import { goals } from '../goals.ts'
import { startService } from '../processes.ts'
import type { Row } from '../row.ts'
import type { StreamReaders } from './streamReaders.ts'

const streams = 1_000
const eventsPerSecond = 2_000
const roundMs = 2_000

/**
 * From an accepted quote to its event at the borrower: the hub's `emit` until the client process has the bytes, through
 * the server's own HTTP. Both processes read the same monotonic clock.
 */
export const streamedEvents: Row = {
  id: 'streamed-events',
  about: 'an accepted quote until its event at the borrower, 1,000 open streams',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const auctions: ScriptedAuction[] = []
    const { service } = createScriptedService({
      hub: {
        async open() {
          const auction = createScriptedAuction()
          auctions.push(auction)
          return { ok: true, value: auction }
        },
      },
    })
    const server = createDoors({
      service,
      domain: testDomain,
      signatures: { recoverSigner },
      clock: systemClock,
      random: randomBytes,
      log: createLogger({ level: 'silent', secrets: [] }),
      metrics: createPromMetrics(),
      limits: { connectionsPerNetwork: 2 * streams },
    })
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
    stack.defer(server.close)
    context.progress(`opening ${streams} streams`)
    const borrowers = startService<StreamReaders>(new URL('streamReaders.ts', import.meta.url))
    stack.defer(borrowers.stop)
    const body = JSON.stringify({ poolId: testRfq.poolId, seriesKey: testRfq.seriesKey, notional: '1000000' })
    await borrowers.call('connect', { port, count: streams, body })
    const rounds = await inRounds(context, async () => {
      const sent = await emitSteadily(auctions)
      const delays = await borrowers.call('delays')
      if (delays.length !== sent) throw new TypeError(`Of ${sent} events ${delays.length} arrived.`)
      return percentilesOf(delays)
    })
    const p50 = rounds.map((delays) => delays.p50)
    return [
      {
        what: `accepted quote to SSE event at the borrower, p99, ${streams} streams, ${eventsPerSecond} events/s`,
        unit: 'ms',
        figure: figureOf(rounds.map(({ p99 }) => p99)),
        ...goals.streamedEvent,
        notes: [`p50 ${noteOf(p50, 'ms', 3)}`],
      },
    ]
  },
}

/** Emits a quote in one auction after the other, each at its time: a late one does not delay those after it. */
async function emitSteadily(auctions: readonly ScriptedAuction[]): Promise<number> {
  const total = (eventsPerSecond * roundMs) / 1_000
  const startedAt = performance.now()
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) * eventsPerSecond) / 1_000)
    for (; sent < due; sent += 1) auctions[sent % auctions.length]?.emit(eventNow())
    // The kernel holds back a process that never sleeps when another wants its core.
    await sleep(1)
  }
  return total
}

function eventNow(): RFQStreamEvent {
  const quote = {
    maker: testDomain.quoteMarket,
    taker: testDomain.quoteMarket,
    poolId: testRfq.poolId,
    seriesKey: testRfq.seriesKey,
    notional: 1_000_000_000_000n,
    vrtAmount: 25_000_000_000n,
    nonce: 0n,
    deadline: 1_800_000_000n,
    salt: testRfq.poolId,
    signature: `0x${'77'.repeat(65)}`,
  } as const
  // The moment goes where the event has a number anyway; nanoseconds since the machine started fit it.
  const receivedAt = Number(process.hrtime.bigint())
  return { type: 'quote', id: `${testRfq.rfqId}:1`, data: { hash: testRfq.poolId, quote, apr: 5.25, receivedAt } }
}
