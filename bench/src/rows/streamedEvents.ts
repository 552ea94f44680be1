import type { RFQStreamEvent } from '@firmquote/core'
import { createLogger } from '@firmquote/node-runtime/createLogger'
import { listenForTest } from '../../../apps/server/test/listenForTest.ts'
import {
  createScriptedAuction,
  createScriptedService,
  type ScriptedAuction,
  testDomain,
  testRfq,
} from '../../../apps/server/test/scriptedService.ts'
import { sendSteadily } from '../clients/createParticipants.ts'
import { inRounds } from '../compare.ts'
import { figureOf, percentilesOf } from '../figures.ts'
import { startService } from '../processes.ts'
import { freshSignedQuotes } from '../quotes.ts'
import type { Row } from '../row.ts'
import type { StreamReaders } from './streamReaders.ts'

const streams = 1_000
const eventsPerSecond = 2_000
const events = 2 * eventsPerSecond

/**
 * Time from a quote's acceptance to its event's arrival at the borrower. Measured from the hub's `emit` until the
 * client process has the bytes, through the server's own HTTP stack. Both processes use the same monotonic clock.
 */
export const streamedEvents: Row = {
  id: 'streamed-events',
  about: 'time from an accepted quote to its event at the borrower, with 1,000 open streams',
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
    const { port, close } = await listenForTest({
      service,
      domain: testDomain,
      log: createLogger({ level: 'silent', secrets: [] }),
      limits: { connectionsPerNetwork: 2 * streams },
    })
    stack.defer(close)
    context.progress(`opening ${streams} streams`)
    const borrowers = stack.use(startService<StreamReaders>(new URL('streamReaders.ts', import.meta.url)))
    const { poolId, seriesKey } = testRfq
    const body = JSON.stringify({ poolId, seriesKey, notional: '1000000' })
    await borrowers.call('connect', { port, count: streams, body })
    const p99 = await inRounds(context, async () => {
      await sendSteadily(eventsPerSecond, events, (sent) => auctions[sent % auctions.length]?.emit(eventNow()))
      const delays = await borrowers.call('delays')
      if (delays.length !== events) throw new TypeError(`Only ${delays.length} of ${events} events arrived.`)
      return percentilesOf(delays).p99
    })
    return { streamedEvent: figureOf(p99) }
  },
}

const [quote] = freshSignedQuotes(1)

function eventNow(): RFQStreamEvent {
  if (!quote) throw new TypeError('There is no quote.')
  // The send time replaces a numeric event field that can hold nanoseconds since boot.
  const receivedAt = Number(process.hrtime.bigint())
  return { type: 'quote', id: `${testRfq.rfqId}:1`, data: { hash: testRfq.poolId, quote, apr: 5.25, receivedAt } }
}
