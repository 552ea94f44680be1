import type { Address } from 'viem'
import type { Presence } from '../ports/presence.ts'
import { createTally } from './tally.ts'

/** Creates presence tracking for a single process, with at most `socketsPerBacker` sockets per backer. */
export function createInProcessPresence(socketsPerBacker: number): Presence {
  const sockets = createTally()
  const sessions = createTally()
  return {
    enter: async (backer: Address) => (sockets.of(backer) >= socketsPerBacker ? null : sockets.add(backer)),
    join: sessions.add,
    countBackers: sessions.size,
    listSockets: async () =>
      sockets.addresses().map((backer) => ({ backer: backer as Address, sockets: sockets.of(backer as Address) })),
  }
}
