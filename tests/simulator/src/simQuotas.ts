import { createInProcessQuotas } from '../../../apps/server/src/adapters/inProcessQuotas.ts'
import { createTally } from '../../../apps/server/src/adapters/tally.ts'
import type { RequestLimits } from '../../../apps/server/src/domain/quotas.ts'
import { StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { Presence } from '../../../apps/server/src/ports/presence.ts'
import type { Quotas } from '../../../apps/server/src/ports/quotas.ts'
import type { HasDefect } from './defects.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** Quotas and presence that a history's instances share through their database. They use the database's clock. */
export type SharedCounts = {
  quotas: Quotas
  /** Each life's sessions and its last heartbeat, in virtual milliseconds. */
  present: Map<number, { backers: readonly string[]; seenAt: number }>
}

/** One life's connection to the shared counts. */
export type CountsConnection = {
  counts: SharedCounts
  life: Life
  timeline: Timeline
  random: Random
  /** Whether a call made now should fail. */
  fails: () => boolean
  has: HasDefect
}

const beatMs = 1_000
const goneMs = 5_000

/** Creates empty shared counts. */
export function createSharedCounts(timeline: Timeline, limits: RequestLimits): SharedCounts {
  return { quotas: createInProcessQuotas({ monotonic: timeline.now }, limits), present: new Map() }
}

/**
 * Simulates quotas stored in a database. A call either takes effect after a delay, or fails. The slots of a process
 * that has ended expire.
 */
export function createSimQuotas({ counts, life, timeline, random, fails }: CountsConnection): Quotas {
  const { quotas } = counts
  const call = <T>(run: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      timeline.at(timeline.now() + random.between(1, 4), () => {
        if (!life.isAlive()) return
        if (fails()) life.after(1, () => reject(new StorageUnavailableError('The quotas could not be reached.')))
        else run().then((value) => life.after(random.below(3), () => resolve(value)), reject)
      })
    })
  const send = (run: () => void) =>
    void call(async () => run()).catch(() => {
      // The slot will expire.
    })
  return {
    async admit(asked, keptMs) {
      const admitted = await call(() => quotas.admit(asked, keptMs))
      if (!admitted.ok) return admitted
      const { slot } = admitted
      return {
        ok: true,
        slot: {
          verified: slot.verified,
          release: () => send(slot.release),
          refund: () => send(slot.refund),
          abandon: () => call(slot.abandon).catch(() => false),
        },
      }
    },
    // The slot is already counted.
    restore: () => () => {},
    spendProof: (asked) => call(() => quotas.spendProof(asked)),
    totals: () => call(quotas.totals),
    admitCheck: (sender) => call(() => quotas.admitCheck(sender)),
  }
}

/** Simulates presence stored in a database. Once a second, a life records its own sessions and reads the others'. */
export function createSimPresence({ counts, life, timeline, fails, has }: CountsConnection): Presence {
  const sessions = createTally()
  let others = 0
  const sendHeartbeat = () => {
    life.after(beatMs, sendHeartbeat)
    if (fails()) return
    const own = new Set(sessions.addresses())
    counts.present.set(life.id, { backers: [...own], seenAt: timeline.now() })
    const elsewhere = new Set<string>()
    for (const [id, { backers, seenAt }] of counts.present) {
      if (id === life.id || timeline.now() - seenAt > goneMs) continue
      for (const backer of backers) {
        if (has('backers counted twice')) elsewhere.add(`${backer} ${id}`)
        else if (!own.has(backer)) elsewhere.add(backer)
      }
    }
    others = elsewhere.size
  }
  life.after(0, sendHeartbeat)
  return {
    enter: () => Promise.reject(new StorageUnavailableError('The simulation has no entry points.')),
    join: sessions.add,
    countBackers: () => sessions.size() + others,
    listSockets: async () => [],
  }
}
