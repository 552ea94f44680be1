import { BaseError } from '@firmquote/core'
import { OutcomeUnknownError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import { type Store, type StoreWrite, storeWrites } from '../../../apps/server/src/ports/store.ts'
import type { Life } from './life.ts'
import type { MemoryDatabase } from './memoryDatabase.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** What goes wrong with the database of one instance at the moment. Probabilities from 0 to 1, times in milliseconds. */
export type StorageFaults = {
  /** A write is refused, and nothing is written. */
  refuse: number
  /**
   * The outcome of a write is not known: it is committed, or lost, or committed later. A database that goes by the caller's
   * clock is one file: it decides one write after the other, and none after the end of its process.
   */
  unknown: number
  /** A query is refused. */
  refuseRead: number
  /** What every commit takes longer. */
  slowBy: number
}

/** A database without faults. */
export const soundStorage: StorageFaults = { refuse: 0, unknown: 0, refuseRead: 0, slowBy: 0 }

/** The connection of one life to a database that it shares with others. */
export type SimStoreOptions = {
  database: MemoryDatabase
  life: Life
  timeline: Timeline
  random: Random
  trace: Trace
  /** Whether the database is a service of its own, with a clock of its own, for several machines. */
  isShared: boolean
  /** What goes wrong at the moment. */
  faults: () => StorageFaults
  /** Is told of each write right after its commit. */
  onCommit?: (commit: Commit) => void
  /** Is told of each answer to a write: whether the database has failed. */
  onWritten?: (method: StoreWrite | 'probe', failed: boolean) => void
}

/** One write that was committed. `calledAt` is when the life asked for it, in virtual milliseconds. */
export type Commit = {
  [Method in StoreWrite]: {
    method: Method
    life: number
    instance: number
    calledAt: number
    /** Whether its caller is told, unless it ends before. */
    isTold: boolean
    given: Parameters<Store[Method]>
    outcome: Awaited<ReturnType<Store[Method]>>
  }
}[StoreWrite]

/**
 * Connects a life to a database. A write is committed some time after the call and answered some time after that; if the
 * life ends in between, what was committed stays, and what was not is gone.
 */
export function createSimStore({
  database,
  life,
  timeline,
  random,
  trace,
  isShared,
  faults,
  onCommit,
  onWritten,
}: SimStoreOptions): Store {
  let closed = false
  let underWay = 0
  let onIdle: (() => void) | null = null
  /** The commits of one connection are in the order of the writes. */
  let lastCommitAt = 0

  const failed = (reject: (error: unknown) => void, error: unknown) =>
    reject(
      error instanceof BaseError
        ? error
        : new StorageUnavailableError('The database did not answer.', { cause: error }),
    )

  const read = <T>(method: string, run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (closed) throw new StorageUnavailableError('The database is closed.')
      if (random.chance(faults().refuseRead)) {
        trace.note('query refused', `${life.instance} ${method}`)
        life.after(random.below(3), () => reject(new StorageUnavailableError('The database did not answer.')))
        return
      }
      // A query sees what is committed when it runs, which is some time before its answer.
      life.after(random.below(2), () => {
        try {
          const value = run()
          life.after(random.below(2), () => resolve(value))
        } catch (error) {
          failed(reject, error)
        }
      })
    })

  const write = <T>(method: StoreWrite | 'probe', given: unknown[], run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (closed) throw new StorageUnavailableError('The database is closed.')
      underWay += 1
      const answer = (settle: () => void, failed: boolean) => {
        underWay -= 1
        onWritten?.(method, failed)
        settle()
        if (underWay === 0) onIdle?.()
      }
      const { refuse, unknown, slowBy } = faults()
      const now = timeline.now()
      if (random.chance(refuse)) {
        trace.note('write refused', `${life.instance} ${method}`)
        life.after(random.below(5), () =>
          answer(() => reject(new StorageUnavailableError('The database did not take it.')), true),
        )
        return
      }
      const reachedAt = Math.max(lastCommitAt, now + random.between(1, 4) + slowBy)
      const fate = random.chance(unknown) ? random.pick(['committed', 'lost', 'late'] as const) : null
      const lateBy = fate === 'late' ? random.between(1, 400) : 0
      lastCommitAt = lateBy > 0 && !isShared ? reachedAt + lateBy + 1 : reachedAt
      const commit = (): { value: T } | { error: unknown } => {
        try {
          const value = run()
          if (method !== 'probe') {
            onCommit?.({
              method,
              life: life.id,
              instance: life.instance,
              isTold: fate === null,
              calledAt: now,
              given,
              outcome: value,
            } as unknown as Commit)
          }
          return { value }
        } catch (error) {
          return { error }
        }
      }
      // A process may end while the disk, or another machine, is still at it.
      const outlivesIt = random.chance(0.5)
      timeline.at(reachedAt, () => {
        if (!life.isAlive() && !outlivesIt) return
        if (fate === null) {
          const outcome = commit()
          life.after(random.below(3), () =>
            answer(() => ('value' in outcome ? resolve(outcome.value) : failed(reject, outcome.error)), false),
          )
          return
        }
        trace.note(`outcome unknown: ${fate}`, `${life.instance} ${method}`)
        if (fate === 'committed') commit()
        if (fate === 'late') timeline.at(reachedAt + lateBy, () => (isShared || life.isAlive()) && commit())
        life.after(random.between(1, 50), () =>
          answer(() => reject(new OutcomeUnknownError('The connection was lost during a write.')), true),
        )
      })
    })

  const methods = Object.fromEntries(
    Object.entries(database).flatMap(([name, method]) => {
      if (name === 'quotes' || name === 'close') return []
      const call = method as (...given: unknown[]) => unknown
      const isWrite = (storeWrites as readonly string[]).includes(name)
      return [
        [
          name,
          (...given: unknown[]) =>
            isWrite ? write(name as StoreWrite, given, () => call(...given)) : read(name, () => call(...given)),
        ],
      ]
    }),
  ) as unknown as Omit<Store, 'ping' | 'probe' | 'integrity' | 'close'>

  return {
    ...methods,
    integrity: () => 'ok',
    ping: () => read('ping', () => {}),
    probe: () => write('probe', [], () => {}),
    async close() {
      closed = true
      if (underWay > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
      }
    },
  }
}
