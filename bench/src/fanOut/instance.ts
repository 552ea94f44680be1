// One instance of the product in a process of its own: its server, its backer sessions and its bus, that of one process or
// over NATS; only the service beneath is scripted.
import { randomBytes } from 'node:crypto'
import { type RFQBroadcast, recoverSigner, systemClock, toPublicRfqId } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { createLogger } from '@firmquote/program/createLogger'
import { createInProcessBus } from '../../../apps/server/src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../../../apps/server/src/adapters/inProcessPresence.ts'
import { createNatsBus } from '../../../apps/server/src/adapters/natsBus/natsBus.ts'
import { createPromMetrics } from '../../../apps/server/src/adapters/promMetrics.ts'
import { createBackerSessions } from '../../../apps/server/src/app/auctions/backerSessions.ts'
import { createDoors } from '../../../apps/server/src/start/createDoors.ts'
import { createScriptedService, testDomain, testRfq } from '../../../apps/server/test/scriptedService.ts'
import { serve } from '../processes.ts'

/** An RFQ as long as they get: about 400 bytes. */
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
  /** Listens for this number of backers. `frameBytes` is the length of the RFQ with its frame's head. */
  async listen({ backers, natsUrl, key }: { backers: number; natsUrl?: string | undefined; key: Buffer }) {
    const onError = (error: unknown) => {
      throw error
    }
    const clock = systemClock
    const natsOptions = { key, domain: testDomain, onError, log: { info() {}, warn: console.error }, clock }
    const bus = natsUrl
      ? await createNatsBus({ url: natsUrl, random: randomBytes, ...natsOptions })
      : createInProcessBus({ onError })
    sessions = createBackerSessions({
      bus,
      // The sample's auction is open: backers are not told of one that is over.
      clock: { ...clock, now: () => rfq.openedAt },
      presence: { join: () => () => {} },
      means: { joined() {}, cover: () => false },
    })
    const { service } = createScriptedService({ hub: { join: sessions.join } })
    const limits = { ...service.config.limits, socketsPerBacker: backers }
    const server = createDoors({
      service: { ...service, presence: createInProcessPresence(backers), config: { ...service.config, limits } },
      domain: testDomain,
      signatures: { recoverSigner },
      clock,
      random: randomBytes,
      log: createLogger({ level: 'silent', secrets: [] }),
      metrics: createPromMetrics(),
      limits: {
        sockets: backers,
        connectionsPerNetwork: 2 * backers,
        pendingSockets: backers,
        pendingSocketsPerNetwork: backers,
        // No ping in the middle of a measurement.
        pingIntervalMs: 3_600_000,
      },
    })
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
    return { port, frameBytes: Buffer.byteLength(encodeJson({ type: 'rfq', ...rfq })) + 4 }
  },

  /** Broadcasts an RFQ; returns when that began, in nanoseconds of the monotonic clock. */
  broadcast() {
    broadcasts += 1
    // A backer is told of each auction once.
    const fresh = { ...rfq, rfqId: toPublicRfqId(broadcasts.toString(16).padStart(32, '0')) }
    const began = process.hrtime.bigint()
    sessions?.broadcastRfq(fresh)
    return began
  },
}
/** The instance in its process. */
export type FanOutInstance = typeof functions
serve(functions)
