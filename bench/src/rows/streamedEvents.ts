import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
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
import { goals } from '../goals.ts'
import type { Row } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'

const streams = 1_000
const eventsPerSecond = 2_000
const roundMs = 3_000

/**
 * From an accepted quote to its event at the borrower: the hub's `emit` until the client process has the bytes, through
 * the server's own HTTP. Both processes read the same monotonic clock.
 */
export const streamedEvents: Row = {
  id: 'streamed-events',
  about: 'an accepted quote until its event at the borrower, 1,000 open streams',
  async run({ rounds, progress }) {
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
    progress(`opening ${streams} streams`)
    const borrowers = await startBorrowers(port)
    const medians: number[] = []
    const tails: number[] = []
    try {
      for (let round = 0; round <= rounds; round += 1) {
        progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
        const sent = await emitSteadily(auctions)
        const delays = await borrowers.delays()
        if (delays.length !== sent) throw new TypeError(`Of ${sent} events ${delays.length} arrived.`)
        delays.sort((a, b) => a - b)
        if (round === 0) continue
        medians.push(delays[delays.length >> 1] ?? Number.NaN)
        tails.push(delays[Math.floor(delays.length * 0.99)] ?? Number.NaN)
      }
    } finally {
      await borrowers.stop()
      await server.close()
    }
    return {
      findings: [
        {
          what: `accepted quote to SSE event at the borrower, p99, ${streams} streams, ${eventsPerSecond} events/s`,
          unit: 'ms',
          figure: figureOf(tails),
          ...goals.streamedEvent,
          notes: [`p50 ${figureOf(medians).median.toFixed(3)} ms`],
        },
      ],
    }
  },
}

/** Emits a quote in one auction after the other, each at its time: a late one does not delay those after it. */
async function emitSteadily(auctions: readonly ScriptedAuction[]): Promise<number> {
  const total = (eventsPerSecond * roundMs) / 1_000
  const startedAt = performance.now()
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) * eventsPerSecond) / 1_000)
    for (; sent < due; sent += 1) auctions[sent % auctions.length]?.emit(eventNow())
    // A process that never sleeps is the one that the kernel holds back when another wants its core.
    await new Promise((resolve) => setTimeout(resolve, 1))
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

async function startBorrowers(port: number) {
  const body = JSON.stringify({ poolId: testRfq.poolId, seriesKey: testRfq.seriesKey, notional: '1000000' })
  const file = fileURLToPath(new URL('streamReaders.ts', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', file, String(port), String(streams), body], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new TypeError('The borrowers gave up.')
    return value
  }
  await next()
  return {
    /** The delays of all events since the last call, in milliseconds. */
    async delays(): Promise<number[]> {
      // What is on its way arrives before it is asked for.
      await new Promise((resolve) => setTimeout(resolve, 200))
      child.stdin.write('\n')
      return JSON.parse(await next()) as number[]
    },
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
