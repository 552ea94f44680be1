import { createInProcessBus } from '../../../apps/server/src/adapters/inProcessBus.ts'
import type { Bus } from '../../../apps/server/src/ports/bus.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'

/**
 * The probability of each fault of the network between instances, from 0 to 1. A `strange` message comes from another
 * version of the program.
 */
export type NetworkFaults = { drop: number; double: number; slow: number; strange: number }

/** A network without faults. */
export const soundNetwork: NetworkFaults = { drop: 0, double: 0, slow: 0, strange: 0 }

/** Carries messages between instances. */
export type SimNetwork = ReturnType<typeof createSimNetwork>

/** Valid JSON, as every version sends, but in a shape unknown to this version. */
const strangePayload = '{"version":2}'

/**
 * Creates a network without faults. Messages may arrive out of order. An instance receives its own messages before the
 * others do.
 */
export function createSimNetwork({ random, trace }: { random: Random; trace: Trace }) {
  type Member = { life: Life; deliver: (subject: string, payload: string) => void }
  const members = new Set<Member>()
  const sides = new Set<ReadonlySet<number>>()
  const network = {
    /** Current faults. Writable at any time. */
    faults: soundNetwork,
    /**
     * Partitions the network. Messages between these instances and the rest are lost until the returned function is
     * called.
     */
    part(side: ReadonlySet<number>) {
      sides.add(side)
      return () => void sides.delete(side)
    },
    /** Connects a life. Messages published by the life are delivered even if it ends. */
    connect(life: Life, onError: (error: unknown) => void): Bus {
      const { publish: deliver, subscribe, close } = createInProcessBus({ onError })
      const member: Member = { life, deliver }
      members.add(member)

      const send = (to: Member, subject: string, payload: string) => {
        const own = to === member
        const { drop, double, slow, strange } = network.faults
        if (!own) {
          for (const side of sides) {
            if (side.has(life.instance) === side.has(to.life.instance)) continue
            trace.note('message parted', subject)
            return
          }
        }
        if (!own && random.chance(drop)) {
          trace.note('message dropped', subject)
          return
        }
        const copies = !own && random.chance(double) ? 2 : 1
        if (copies > 1) trace.note('message doubled', subject)
        for (let copy = 0; copy < copies; copy += 1) {
          const isSlow = !own && random.chance(slow)
          if (isSlow) trace.note('message delayed', subject)
          const delay = own ? random.below(2) : isSlow ? random.between(50, 3_000) : random.between(1, 10)
          const isStrange = !own && strange > 0 && random.chance(strange)
          if (isStrange) trace.note('message strange', subject)
          to.life.after(delay, () => to.deliver(subject, isStrange ? strangePayload : payload))
        }
      }

      return {
        publish(subject, payload) {
          if (!life.isAlive()) return
          for (const to of members) {
            if (to.life.isAlive()) send(to, subject, payload)
            else members.delete(to)
          }
        },
        subscribe,
        close,
      }
    },
  }
  return network
}
