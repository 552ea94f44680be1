import type { Presence } from '../../../apps/server/src/ports/presence.ts'
import type { Life } from './life.ts'

/** The sessions of the backers of every life. */
export type SimSessions = Set<{ life: Life; backer: string }>

/** Connects a life to the presence that all share, which counts nothing of a life that has ended. There are no sockets here. */
export function createSimPresence(sessions: SimSessions, life: Life): Presence {
  return {
    enter: async () => () => {},
    join(backer) {
      const session = { life, backer: backer.toLowerCase() }
      sessions.add(session)
      return () => void sessions.delete(session)
    },
    countBackers: () => new Set([...sessions].filter((one) => one.life.isAlive()).map(({ backer }) => backer)).size,
  }
}
