import { randomUUID } from 'node:crypto'
import type { Clock } from '@firmquote/core/utils'
import { type Address, hexToBytes } from 'viem'
import { OverloadedError } from '../../ports/errors.ts'
import type { Presence } from '../../ports/presence.ts'
import type { PostgresPool } from '../postgresStore/postgresPool.ts'
import { createTally } from '../tally.ts'
import {
  countOthers,
  countSockets,
  endInstance,
  listSockets,
  pruneInstances,
  registerSockets,
  sendHeartbeat,
  unregisterSockets,
  writeSessions,
} from './presenceStatements.ts'

/** Options of {@link createPostgresPresence}. */
export type PostgresPresenceOptions = {
  /** `now` is the service's time. */
  clock: Pick<Clock, 'now' | 'after'>
  log: { warn(facts: Record<string, unknown>, message: string): void }
  /** Maximum number of sockets per backer across all instances. */
  socketsPerBacker: number
}

/** One instance's presence, refreshed by a heartbeat every second. */
export type PostgresPresence = Presence & {
  /** Removes this instance and its sockets and sessions. */
  close(): Promise<void>
}

const heartbeatMs = 1_000
/** Milliseconds without a heartbeat after which an instance is presumed gone and its slots become free. */
const goneMs = 5_000
/** Milliseconds without a heartbeat after which an instance is pruned. */
const pruneAfterMs = 60_000
const heartbeatsPerPrune = 10
/** Maximum number of sockets per statement, and maximum number of sockets waiting to be registered. */
const [maxEntered, maxWaiting] = [500, 10_000]

type Entering = {
  id: string
  backer: Address
  resolve(isIn: boolean): void
  reject(error: unknown): void
}

/**
 * Registers an instance in a shared database and keeps its registration alive. The tables must already exist.
 *
 * @throws {StorageUnavailableError} if the database does not respond.
 */
export async function createPostgresPresence(
  pool: Pick<PostgresPool, 'query'>,
  { clock, log, socketsPerBacker }: PostgresPresenceOptions,
): Promise<PostgresPresence> {
  const instance = randomUUID()
  const sessions = createTally()
  /** This instance's sockets, by ID. */
  const sockets = new Map<string, Address>()
  const entering: Entering[] = []
  let leaving: string[] = []
  /** Sockets whose removal failed. The removal is retried on the next heartbeat. */
  const postponed: string[] = []
  let running: Promise<void> | null = null
  let refreshing: Promise<void> = Promise.resolve()
  let others = 0
  let areSessionsNew = false
  let heartbeats = 0
  let isClosed = false
  let cancelHeartbeat = () => {}

  const bytesOf = (address: string) => hexToBytes(address as Address)

  const leaveAll = async () => {
    const ended = leaving
    leaving = []
    if (ended.length === 0) return
    await pool.query(unregisterSockets, [ended], 'presence_leave').catch(() => {
      postponed.push(...ended)
    })
  }

  const enterSome = async () => {
    const asked = entering.splice(0, maxEntered)
    const ids = asked.map(({ id }) => id)
    const backers = asked.map(({ backer }) => bytesOf(backer))
    const limits = [socketsPerBacker, goneMs]
    try {
      const rows = await pool.query<{ socket: string; wasFree: boolean }>(
        registerSockets,
        [clock.now(), instance, ids, backers, ...limits],
        'presence_enter',
      )
      const without = new Map(rows.map(({ socket, wasFree }) => [socket, wasFree]))
      for (const one of asked) {
        const wasFree = without.get(one.id)
        // Another instance took the free slot, so retry in case another slot is still free.
        if (wasFree) entering.push(one)
        else one.resolve(wasFree === undefined)
      }
    } catch (error) {
      // The failed statement may nevertheless have registered the sockets.
      postponed.push(...ids)
      for (const { reject } of asked) reject(error)
    }
  }

  const run = async () => {
    // Batches requests made in the same tick into one statement.
    await Promise.resolve()
    do {
      await leaveAll()
      if (entering.length > 0) await enterSome()
    } while (entering.length + leaving.length > 0)
    running = null
  }
  const start = () => {
    running ??= run()
  }

  const enterOne = (id: string, backer: Address): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (entering.length >= maxWaiting) return reject(new OverloadedError())
      entering.push({ id, backer, resolve, reject })
      start()
    })

  const leave = (id: string) => {
    if (!sockets.delete(id)) return
    leaving.push(id)
    start()
  }

  /**
   * Re-registers sockets whose slots were taken while this instance was presumed gone. If no slot is free, the socket
   * stays open but is not counted.
   */
  const restoreSockets = async () => {
    const rows = await pool.query<{ socket: string }>(listSockets, [instance])
    const kept = new Set(rows.map(({ socket }) => socket))
    const lost = [...sockets].filter(([id]) => !kept.has(id))
    const entered = await Promise.all(lost.map(([id, backer]) => enterOne(id, backer)))
    const without = entered.filter((isIn) => !isIn).length
    if (without > 0)
      log.warn(
        { sockets: without },
        'failed to restore socket slots; other instances took them while this one was unresponsive',
      )
    const left = lost.filter(([id]) => !sockets.has(id))
    if (left.length > 0) {
      leaving.push(...left.map(([id]) => id))
      start()
    }
  }

  const refreshPresence = async () => {
    const [seen] = await pool.query<{ wasGone: boolean }>(
      sendHeartbeat,
      [clock.now(), instance, goneMs],
      'presence_beat',
    )
    if (seen?.wasGone || areSessionsNew) {
      areSessionsNew = false
      try {
        await pool.query(writeSessions, [instance, sessions.addresses().map(bytesOf)], 'presence_sessions')
      } catch (error) {
        areSessionsNew = true
        throw error
      }
    }
    // Another instance may have taken slots just before this heartbeat was written.
    if (sockets.size > 0 && (seen?.wasGone || heartbeats % heartbeatsPerPrune === 0)) await restoreSockets()
    const [counted] = await pool.query<{ backers: number }>(
      countOthers,
      [clock.now(), instance, goneMs],
      'presence_count',
    )
    others = counted?.backers ?? 0
    if (heartbeats % heartbeatsPerPrune === 0)
      await pool.query(pruneInstances, [clock.now(), pruneAfterMs], 'presence_forget')
    heartbeats += 1
    if (postponed.length === 0) return
    leaving.push(...postponed.splice(0))
    start()
  }

  const scheduleHeartbeat = () => {
    if (isClosed) return
    cancelHeartbeat = clock.after(heartbeatMs, () => {
      // While the database is unavailable, no instance can presume this one gone. Failed writes are logged elsewhere.
      refreshing = refreshPresence()
        .catch(() => {})
        .finally(scheduleHeartbeat)
    })
  }
  await refreshPresence()
  scheduleHeartbeat()

  return {
    async enter(backer) {
      const id = randomUUID()
      if (!(await enterOne(id, backer))) return null
      sockets.set(id, backer)
      return () => leave(id)
    },
    join(backer) {
      const end = sessions.add(backer)
      areSessionsNew = true
      return () => {
        end()
        areSessionsNew = true
      }
    },
    // Local sessions are always current. `others` excludes backers that also have a session on this instance.
    countBackers: () => sessions.size() + others,
    listSockets: () =>
      pool.query<{ backer: Address; sockets: number }>(countSockets, [clock.now(), goneMs], 'presence_list'),
    async close() {
      isClosed = true
      cancelHeartbeat()
      await refreshing
      await running
      // If the removal fails, the slots expire as if the instance had crashed.
      await pool.query(endInstance, [instance]).catch(() => {})
    },
  }
}
