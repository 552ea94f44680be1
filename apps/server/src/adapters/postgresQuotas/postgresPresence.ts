import { randomUUID } from 'node:crypto'
import type { Clock } from '@firmquote/core'
import { type Address, hexToBytes } from 'viem'
import { OverloadedError } from '../../ports/errors.ts'
import type { Presence } from '../../ports/presence.ts'
import type { PostgresPool } from '../postgresStore/postgresPool.ts'
import { createTally } from '../tally.ts'
import {
  countOthers,
  endInstance,
  listSockets,
  pruneInstances,
  registerSockets,
  sendHeartbeat,
  unregisterSockets,
  writeSessions,
} from './presenceStatements.ts'

/** How the presence is opened. */
export type PostgresPresenceOptions = {
  clock: Pick<Clock, 'after'>
  log: { warn(facts: Record<string, unknown>, message: string): void }
  /** How many sockets a backer may have on all instances together. */
  socketsPerBacker: number
  /** What is added to the database's clock, in milliseconds; for tests. */
  ahead?: () => number
}

/** The presence of one instance, which says each second that it is there. */
export type PostgresPresence = Presence & {
  /** Ends what is counted of this instance. */
  close(): Promise<void>
}

const beatMs = 1_000
/** An instance that was not seen for so long counts no more: its sockets' places are free. */
const goneMs = 5_000
/** It is forgotten after so long. */
const forgottenMs = 60_000
const beatsPerForgetting = 10
/** So many sockets are entered by one statement, and so many may wait. */
const [mostEntered, mostWaiting] = [500, 10_000]

type Entering = {
  id: string
  backer: Address
  resolve(isIn: boolean): void
  reject(error: unknown): void
}

/**
 * Creates the presence of an instance among those on one database. The tables must be there.
 *
 * @throws {StorageUnavailableError} when the database does not answer.
 */
export async function createPostgresPresence(
  pool: Pick<PostgresPool, 'query'>,
  { clock, log, socketsPerBacker, ahead = () => 0 }: PostgresPresenceOptions,
): Promise<PostgresPresence> {
  const instance = randomUUID()
  const sessions = createTally()
  /** The sockets that are here, by id. */
  const sockets = new Map<string, Address>()
  const entering: Entering[] = []
  let leaving: string[] = []
  /** Those that could not be ended: they are tried again with the next beat. */
  const postponed: string[] = []
  let running: Promise<void> | null = null
  let beating: Promise<void> = Promise.resolve()
  let others = 0
  let areSessionsNew = false
  let beats = 0
  let isClosed = false
  let cancelBeat = () => {}

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
    const asked = entering.splice(0, mostEntered)
    const ids = asked.map(({ id }) => id)
    const backers = asked.map(({ backer }) => bytesOf(backer))
    const limits = [socketsPerBacker, goneMs]
    try {
      const rows = await pool.query<{ socket: string; wasFree: boolean }>(
        registerSockets,
        [ahead(), instance, ids, backers, ...limits],
        'presence_enter',
      )
      const without = new Map(rows.map(({ socket, wasFree }) => [socket, wasFree]))
      for (const one of asked) {
        const wasFree = without.get(one.id)
        // Another instance has taken the place that was free: there may be one more.
        if (wasFree) entering.push(one)
        else one.resolve(wasFree === undefined)
      }
    } catch (error) {
      // They may have been entered.
      postponed.push(...ids)
      for (const { reject } of asked) reject(error)
    }
  }

  const run = async () => {
    // What comes in the same turn is one statement.
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
      if (entering.length >= mostWaiting) return reject(new OverloadedError())
      entering.push({ id, backer, resolve, reject })
      start()
    })

  const leave = (id: string) => {
    if (!sockets.delete(id)) return
    leaving.push(id)
    start()
  }

  /** Enters again what has lost its place while this instance was counted as gone. What finds none stays, and is not counted. */
  const enterAgain = async () => {
    const rows = await pool.query<{ socket: string }>(listSockets, [instance])
    const kept = new Set(rows.map(({ socket }) => socket))
    const lost = [...sockets].filter(([id]) => !kept.has(id))
    const entered = await Promise.all(lost.map(([id, backer]) => enterOne(id, backer)))
    const without = entered.filter((isIn) => !isIn).length
    if (without > 0)
      log.warn({ sockets: without }, 'sockets are not counted: this instance was away, and others have their slots')
    const left = lost.filter(([id]) => !sockets.has(id))
    if (left.length > 0) {
      leaving.push(...left.map(([id]) => id))
      start()
    }
  }

  const tellPresence = async () => {
    const [seen] = await pool.query<{ wasGone: boolean }>(sendHeartbeat, [ahead(), instance, goneMs], 'presence_beat')
    if (seen?.wasGone || areSessionsNew) {
      areSessionsNew = false
      try {
        await pool.query(writeSessions, [instance, sessions.addresses().map(bytesOf)], 'presence_sessions')
      } catch (error) {
        areSessionsNew = true
        throw error
      }
    }
    // It may have been counted as gone while it said that it is not.
    if (sockets.size > 0 && (seen?.wasGone || beats % beatsPerForgetting === 0)) await enterAgain()
    const [counted] = await pool.query<{ backers: number }>(countOthers, [ahead(), instance, goneMs], 'presence_count')
    others = counted?.backers ?? 0
    if (beats % beatsPerForgetting === 0) await pool.query(pruneInstances, [ahead(), forgottenMs], 'presence_forget')
    beats += 1
    if (postponed.length === 0) return
    leaving.push(...postponed.splice(0))
    start()
  }

  const scheduleBeat = () => {
    if (isClosed) return
    cancelBeat = clock.after(beatMs, () => {
      // While the database is away nobody is counted as gone by it, and its failing writes are told elsewhere.
      beating = tellPresence()
        .catch(() => {})
        .finally(scheduleBeat)
    })
  }
  await tellPresence()
  scheduleBeat()

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
    // Those that are here are known as of now. One that has sessions elsewhere too was left out there.
    countBackers: () => sessions.size() + others,
    async close() {
      isClosed = true
      cancelBeat()
      await beating
      await running
      // Where that fails, its places end as those of an instance that is gone.
      await pool.query(endInstance, [instance]).catch(() => {})
    },
  }
}
