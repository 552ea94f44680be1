import { BaseError } from '@firmquote/core'
import { OutcomeUnknownError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import {
  type NewAuction,
  type ProofStore,
  type Store,
  type StoreWrite,
  storeWrites,
} from '../../../apps/server/src/ports/store.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'
import type { SimDatabase } from './simDatabase.ts'
import { type Ended, runAtOnce, type SimTransactions } from './simTransactions.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** Faults of one instance's database. Probabilities are from 0 to 1. */
export type StorageFaults = {
  /** Probability that a write is rejected and not applied. */
  refuse: number
  /**
   * Probability that a write's outcome is unknown: the write may be committed at once, later or never. A database
   * without its own clock is a single file. A database file handles one write at a time, and none after its process
   * ends.
   */
  unknown: number
  /** Probability that a query is rejected. */
  refuseRead: number
  /** Extra time per commit, in milliseconds. */
  slowBy: number
}

/** Writes that a process may be suspended or killed before. */
export type SimWrite = StoreWrite | ProofWrite | 'probe'

/** Writes of provable auctions. */
type ProofWrite = 'startLog' | 'advanceLog'
const proofWrites: readonly string[] = ['startLog', 'advanceLog'] satisfies ProofWrite[]

/** Timeout for calls to an unreachable database, in milliseconds. */
const givenUpMs = 1_000

/** Milliseconds after which an idle client's transaction is rolled back. */
const idleMs = 1_500

/** Maximum time that a slow database holds a lock between two statements, in milliseconds. */
const heldMs = 40

/** A database without faults. */
export const soundStorage: StorageFaults = { refuse: 0, unknown: 0, refuseRead: 0, slowBy: 0 }

/** One life's connection to a shared database. */
export type SimStoreOptions = {
  database: SimDatabase
  life: Life
  timeline: Timeline
  random: Random
  trace: Trace
  /** Concurrent transactions of a separate database service with its own clock; null if the database is a file. */
  shared: SimTransactions | null
  /**
   * Whether the database is unreachable. If it is unreachable, calls fail, and the outcome of pending writes is
   * unknown.
   */
  isCutOff?: () => boolean
  /** Current faults. */
  faults: () => StorageFaults
  /** Called before each write is sent. Returns how long to suspend the process before the write, in milliseconds. */
  beforeWrite?: (method: SimWrite) => number
  /** Called right after each commit of a write, before its answer. */
  afterWrite?: (method: SimWrite) => void
  /** Called right after each commit. */
  onCommit?: (commit: Commit) => void
  /** Called when the database answers a write. `failed` is whether the database made the write fail. */
  onWritten?: (method: SimWrite, failed: boolean) => void
}

/** A committed write. `calledAt` is when the life requested the write, in virtual milliseconds. */
export type Commit = {
  [Method in StoreWrite]: {
    method: Method
    life: number
    instance: number
    calledAt: number
    /** Whether the caller receives an answer, unless its process ends first. */
    isAnswered: boolean
    given: Parameters<Store[Method]>
    outcome: Awaited<ReturnType<Store[Method]>>
  }
}[StoreWrite]

/**
 * Connects a life to a database. A write is committed some time after the call, and answered some time after that. If
 * the life ends before the answer, committed writes persist and the others are lost.
 */
export function createSimStore({
  database,
  life,
  timeline,
  random,
  trace,
  shared,
  isCutOff = () => false,
  faults,
  beforeWrite = () => 0,
  afterWrite = () => {},
  onCommit,
  onWritten,
}: SimStoreOptions): Store {
  /** A single connection commits its writes in order. */
  let lastCommitAt = 0
  const { proofs, ...rows } = database
  const { startLog, advanceLog } = proofs
  const writes = { ...rows, startLog, advanceLog, probe() {} } as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >

  const failure = (error: unknown) =>
    error instanceof BaseError ? error : new StorageUnavailableError('The database did not answer.', { cause: error })

  const read = <T>(method: string, run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const refused = (milliseconds: number) => {
        trace.note('query refused', `${life.instance} ${method}`)
        life.after(milliseconds, () => reject(new StorageUnavailableError('The database did not answer.')))
      }
      if (isCutOff()) return refused(random.between(1, givenUpMs))
      if (random.chance(faults().refuseRead)) return refused(random.below(3))
      // A query returns the rows committed when it runs, some time before the answer arrives.
      life.after(random.below(2), () => {
        if (isCutOff()) return refused(random.between(1, givenUpMs))
        try {
          const value = run()
          life.after(random.below(2), () => resolve(value))
        } catch (error) {
          reject(failure(error))
        }
      })
    })

  /** Runs a write in a transaction that may interleave with others. */
  const perform = (method: SimWrite, given: unknown[], isGone: () => boolean, onEnd: (ended: Ended) => void): void => {
    const work = () => writes[method]?.(...given)
    const row = lockedRow(method, given)
    if (!shared || row === null) {
      onEnd(runAtOnce(work, { waited: false }))
      return
    }
    const { slowBy } = faults()
    const heldUpFor = () => Math.max(0, life.heldUpUntil() - timeline.now())
    const pause = () =>
      random.below(random.chance(0.2) ? 60 : 5) + random.below(Math.min(slowBy, heldMs)) + Math.min(heldUpFor(), idleMs)
    shared.run({ row, work, pause, isGone: () => isGone() || heldUpFor() > 0 }, onEnd)
  }

  const write = (method: SimWrite, given: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown, delay: number) =>
        life.after(delay, () => {
          onWritten?.(method, true)
          reject(error)
        })
      const calledAt = timeline.now()
      if (beforeWrite(method) > 0) life.after(0, send)
      else send()

      function send() {
        const { refuse, unknown, slowBy } = faults()
        const now = timeline.now()
        const cutOff = isCutOff()
        if (cutOff || random.chance(refuse)) {
          trace.note('write refused', `${life.instance} ${method}`)
          const refusal = new StorageUnavailableError('The database rejected the write.')
          fail(refusal, cutOff ? random.between(1, givenUpMs) : random.below(5))
          return
        }
        const arrivesAt = now + random.between(1, 4) + slowBy
        // A separate service uses several connections, so later writes may overtake earlier ones.
        const reachedAt = shared ? arrivesAt : Math.max(lastCommitAt, arrivesAt)
        const fate = random.chance(unknown) ? random.pick(['committed', 'lost', 'late'] as const) : null
        const lateBy = fate === 'late' ? random.between(1, 400) : 0
        lastCommitAt = lateBy > 0 && !shared ? reachedAt + lateBy + 1 : reachedAt
        // A process may end while the disk or another machine still performs the write.
        const outlivesIt = random.chance(0.5)
        const isGone = () => !life.isAlive() && !outlivesIt
        const commit = (onEnd: (ended: Ended) => void) =>
          perform(method, given, isGone, (ended) => {
            if ('rolledBack' in ended) trace.note('rolled back', `${life.instance} ${method}`)
            if ('value' in ended && ended.waited) trace.note('waited for a lock', `${life.instance} ${method}`)
            if ('value' in ended && isStoreWrite(method)) {
              onCommit?.({
                ...{ method, life: life.id, instance: life.instance, calledAt, given },
                isAnswered: fate === null && !isCutOff(),
                outcome: ended.value,
              } as Commit)
            }
            if ('value' in ended) afterWrite(method)
            onEnd(ended)
          })
        const tellNothing = (what: string, within: number) => {
          trace.note(`outcome unknown: ${what}`, `${life.instance} ${method}`)
          if (method === 'applyBlocks' || method === 'finalize') trace.note(`outcome unknown of ${method}`)
          fail(new OutcomeUnknownError('The connection was lost during a write.'), random.between(1, within))
        }
        timeline.at(reachedAt, () => {
          if (isGone()) return
          if (isCutOff()) return tellNothing('cut off', givenUpMs)
          if (fate !== null) {
            tellNothing(fate, 50)
            if (fate === 'committed') commit(() => {})
            if (fate === 'late') timeline.at(reachedAt + lateBy, () => (shared || life.isAlive()) && commit(() => {}))
            return
          }
          commit((ended) => {
            if ('rolledBack' in ended || isCutOff()) return tellNothing('cut off', givenUpMs)
            life.after(random.below(3), () => {
              onWritten?.(method, false)
              if ('value' in ended) resolve(ended.value)
              else reject(failure(ended.error))
            })
          })
        })
      }
    })

  const connected = (queries: object) =>
    Object.fromEntries(
      Object.entries(queries).map(([name, method]) => {
        const query = method as (...given: unknown[]) => unknown
        const isWrite = storeWrites.some((one) => one === name) || proofWrites.includes(name)
        return [
          name,
          (...given: unknown[]) => (isWrite ? write(name as SimWrite, given) : read(name, () => query(...given))),
        ]
      }),
    )
  return {
    ...(connected(rows) as unknown as Omit<Store, 'proofs'>),
    proofs: connected(proofs) as unknown as ProofStore,
    // Histories have no operator, so reads of the controls change no history.
    readControls: async (known) => (known === null ? { version: 0, controls: [] } : null),
    integrity: () => 'ok',
    size: () => read('size', () => ({ data: null, log: null, free: null })),
    ping: () => read('ping', () => {}),
    probe: async () => void (await write('probe', [])),
    close: async () => {},
  }
}

/**
 * The row that a write locks: a key's unique entry, an auction, or the cursor. Returns null if the write conflicts with
 * no other write.
 */
function lockedRow(method: SimWrite, [given]: unknown[]): string | null {
  switch (method) {
    case 'openAuction': {
      const { key, rfq } = given as NewAuction
      return key?.key ?? rfq.rfqId
    }
    case 'acceptQuote':
    case 'closeAuction':
      return (given as Pick<NewAuction, 'publicRfqId'>).publicRfqId
    case 'applyBlocks':
    case 'rollBack':
      return 'cursor'
    default:
      return null
  }
}

function isStoreWrite(method: SimWrite): method is StoreWrite {
  return storeWrites.some((one) => one === method)
}
