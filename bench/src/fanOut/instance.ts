// Runs one product instance in a separate process, with its server, backer sessions and bus (in-process or NATS). The
// service is a stub; everything else is real.
import { randomBytes } from 'node:crypto'
import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'
import { encodeJson, systemClock } from '@firmquote/core/utils'
import { createLogger } from '@firmquote/node-runtime/createLogger'
import { createInProcessBus } from '../../../apps/server/src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../../../apps/server/src/adapters/inProcessPresence.ts'
import { createNatsBus } from '../../../apps/server/src/adapters/natsBus/natsBus.ts'
import { createBackerSessions } from '../../../apps/server/src/app/auctions/backerSessions.ts'
import { listenForTest } from '../../../apps/server/test/listenForTest.ts'
import { createScriptedService, testDomain, testRfq } from '../../../apps/server/test/scriptedService.ts'
import { serve } from '../processes.ts'

/** An RFQ of the maximum length, about 400 bytes. */
const rfq: RFQBroadcast = {
  ...testRfq,
  rfqId: toPublicRfqId('fedcba9876543210fedcba9876543210'),
  notional: 1_000_000_000_000n,
  maxVrtAmount: 25_000_000_000n,
  taker: '0x9999999999999999999999999999999999999999',
  openedAt: 1_767_225_600_000,
  closesAt: 1_767_225_615_000,
}

let sessions: ReturnType<typeof createBackerSessions> | undefined
let broadcasts = 0

const functions = {
  /** Listens for this many backers. Returns `frameBytes`, the length of the RFQ's frame including its header. */
  async listen({ backers, natsUrl: url, key }: { backers: number; natsUrl?: string | undefined; key: Buffer }) {
    const onError = (error: unknown) => {
      throw error
    }
    const log = createLogger({ level: 'silent', secrets: [] })
    const natsOptions = { key, domain: testDomain, onError, log, clock: systemClock, random: randomBytes }
    const bus = url === undefined ? createInProcessBus({ onError }) : await createNatsBus({ url, ...natsOptions })
    sessions = createBackerSessions({
      bus,
      // The sample auction must be open, since sessions drop RFQs for closed ones.
      clock: { ...systemClock, now: () => rfq.openedAt },
      presence: { join: () => () => {} },
      funds: { joined() {}, cover: () => false },
    })
    const { service } = createScriptedService({ hub: { join: sessions.join } })
    const limits = { ...service.config.limits, socketsPerBacker: backers }
    const { port } = await listenForTest({
      service: { ...service, presence: createInProcessPresence(backers), config: { ...service.config, limits } },
      domain: testDomain,
      log,
      // No pings during the measurement.
      limits: { sockets: backers, connectionsPerNetwork: 2 * backers, pingIntervalMs: 3_600_000 },
    })
    return { port, frameBytes: Buffer.byteLength(encodeJson({ type: 'rfq', ...rfq })) + 4 }
  },

  /** Broadcasts an RFQ. Returns the start time in nanoseconds of the monotonic clock. */
  broadcast() {
    broadcasts += 1
    // Sessions send each auction to a backer only once, so every broadcast needs a new id.
    const fresh = { ...rfq, rfqId: toPublicRfqId(broadcasts.toString(16).padStart(32, '0')) }
    const began = process.hrtime.bigint()
    sessions?.broadcastRfq(fresh)
    return began
  },
}
/** Functions of an instance process. */
export type FanOutInstance = typeof functions
serve(functions)
