// Why: docs/decisions/0048-shared-quotas.md
import type { Clock } from '@firmquote/core'
import type { Count, OpenTotals } from '../../domain/quotas.ts'
import {
  accruedAllowance,
  type CheckAllowance,
  type Counted,
  debtKey,
  maxFailedChecks,
  proofsPerRfq,
} from '../../domain/quotas.ts'
import type { TakerDebt } from '../../domain/takerDebt.ts'
import { OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { PostgresPool } from '../postgresStore/postgresPool.ts'
import { readCounted, writeRound } from './quotaStatements.ts'

/** A new slot of an open auction. */
type NewPlace = {
  id: string
  keptMs: number
  verified: boolean
  counts: readonly Count[]
  reserved: { debt: TakerDebt; notional: bigint } | null
}

/** The counts of one batch and its pending changes. Each request sees the changes of earlier requests. */
export type Round = Pick<Counted, 'now' | 'openOf' | 'reserved'> & {
  totals: OpenTotals
  rfqs: Counted['times']
  proofs: Counted['times']
  /** Requested slots that are neither abandoned nor expired, with whether they are verified. */
  followed: ReadonlyMap<string, boolean>
  addPlace(slot: NewPlace): void
  abandon(id: string): void
  addProof(key: string): void
  /** Number of checks of a sender that may still fail. */
  allowance(sender: string): number
  setAllowance(sender: string, left: number): void
}

/** A decision that depends on the counts. */
export type Question<Answer> = {
  /** The counts that the decision needs. */
  counts: readonly Count[]
  debts: readonly Pick<TakerDebt, 'taker' | 'poolId'>[]
  senders: readonly string[]
  slots: readonly string[]
  /** Decides, and adds changes to the batch. It is called again if another instance wrote first. */
  decide(round: Round): Answer
}

/** Executes requests in batches. */
export type QuotaRounds = {
  /**
   * Resolves after the commit.
   *
   * @throws {OverloadedError} if too many requests are waiting.
   * @throws {StorageUnavailableError} if the database does not answer.
   */
  ask<Answer>(question: Question<Answer>): Promise<Answer>
  /** Releases a slot with the next batch. If that fails, the slot expires. */
  release(slot: string): void
}

type Waiting = { question: Question<unknown>; resolve(answer: unknown): void; reject(error: unknown): void }

/** Maximum number of requests per batch, and of waiting requests. */
const [mostAsked, mostWaiting] = [200, 2_000]
/** Milliseconds after which a batch gives up when other instances keep writing first. */
const roundLimitMs = 2_000
/** Pause between two batches, and maximum pause after a lost race, in milliseconds. */
const [roundPauseMs, lostPauseMs] = [10, 20]
/** Interval between trims in milliseconds, and maximum number of recent uses and of senders to keep. */
const [trimIntervalMs, mostKept] = [10_000, 500_000]

/**
 * Creates the batches. One statement reads the counts of all waiting requests, the requests are decided here, and another statement writes the result
 * if no one else has written since. No lock is held while an instance decides or hangs, and concurrent requests of all instances are serialized.
 */
export function createRounds({
  pool,
  clock,
  hash,
  ahead,
}: {
  pool: Pick<PostgresPool, 'query'>
  clock: Pick<Clock, 'monotonic' | 'after'>
  hash: (text: string) => Uint8Array
  ahead: () => number
}): QuotaRounds {
  const waiting: Waiting[] = []
  let released: string[] = []
  let isRunning = false
  let trimmedAt = clock.monotonic()

  /** Reads, decides and writes once. Returns null if another instance wrote in between. */
  const tryRound = async (questions: readonly Question<unknown>[], ended: readonly string[]) => {
    const counted = questions.length > 0 ? await count(questions, ended) : null
    const round = createRound(counted, hash)
    const answers = questions.map(({ decide }) => decide(round))
    const isTrimming = clock.monotonic() - trimmedAt >= trimIntervalMs
    if (!round.hasChanged() && ended.length === 0) return answers
    const values = [
      ahead(),
      round.hasChanged() ? (counted?.version ?? null) : null,
      ...round.written(ended),
      isTrimming,
      ended,
      mostKept,
    ]
    const [won] = await pool.query(writeRound, values, 'quota_write')
    if (won && isTrimming) trimmedAt = clock.monotonic()
    return won ? answers : null
  }

  const count = async (questions: readonly Question<unknown>[], ended: readonly string[]) => {
    const counts = new Map<string, { rfqs: number; proofs: number }>()
    for (const { key, limits } of questions.flatMap((question) => question.counts)) {
      const known = counts.get(key) ?? { rfqs: 0, proofs: 0 }
      const rfqs = Math.max(known.rfqs, limits.rfqsPerMinute)
      counts.set(key, { rfqs, proofs: rfqs * proofsPerRfq })
    }
    const keys = [...counts.keys()]
    const debts = [...new Set(questions.flatMap((question) => question.debts.map(debtKey)))]
    const senders = [...new Set(questions.flatMap((question) => question.senders))]
    const [row] = await pool.query<CountedRow>(
      readCounted,
      [
        ahead(),
        keys.map(hash),
        [...counts.values()].map(({ rfqs }) => rfqs),
        [...counts.values()].map(({ proofs }) => proofs),
        debts.map(hash),
        senders.map(hash),
        questions.flatMap(({ slots }) => slots),
        ended,
      ],
      'quota_read',
    )
    if (!row) throw new StorageUnavailableError('Failed to read the quotas.')
    return { ...row, names: { keys, debts, senders } }
  }

  const pause = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve))

  const runRound = async () => {
    const asked = waiting.splice(0, mostAsked)
    const ended = released
    released = []
    const startedAt = clock.monotonic()
    try {
      for (;;) {
        const answers = await tryRound(
          asked.map(({ question }) => question),
          ended,
        )
        if (answers) {
          for (const [index, { resolve }] of asked.entries()) resolve(answers[index])
          return
        }
        if (clock.monotonic() - startedAt > roundLimitMs) throw new OverloadedError()
        // A random pause separates the instances that lost the race together.
        await pause(lostPauseMs * Math.random())
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  const run = async () => {
    if (isRunning) return
    isRunning = true
    // Batches the requests of one tick.
    await Promise.resolve()
    // A release can wait for the next request.
    if (waiting.length === 0) await pause(roundPauseMs)
    while (waiting.length > 0 || released.length > 0) {
      await runRound()
      await pause(roundPauseMs)
    }
    isRunning = false
  }

  return {
    ask: <Answer>(question: Question<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        if (waiting.length >= mostWaiting) return reject(new OverloadedError())
        waiting.push({ question, resolve: (answer) => resolve(answer as Answer), reject })
        void run()
      }),
    release(slot) {
      released.push(slot)
      void run()
    },
  }
}

type CountedRow = {
  version: number
  now: number
  totals: OpenTotals
  keys: { open: number; rfqs: number[]; proofs: number[] }[]
  reserved: string[]
  checks: (CheckAllowance | null)[]
  followed: Record<string, boolean>
}

type NamedCounts = CountedRow & { names: { keys: string[]; debts: string[]; senders: string[] } }

const nothingCounted: NamedCounts = {
  version: 0,
  now: 0,
  totals: { open: 0, unverified: 0, abandoned: 0 },
  keys: [],
  reserved: [],
  checks: [],
  followed: {},
  names: { keys: [], debts: [], senders: [] },
}

type Use = { key: string; kind: 0 | 1 }

function createRound(given: NamedCounts | null, hash: (text: string) => Uint8Array) {
  const { now, totals, names, ...counted } = given ?? nothingCounted
  const byKey = new Map(names.keys.map((key, index) => [key, counted.keys[index]]))
  const reserved = new Map(names.debts.map((key, index) => [key, BigInt(counted.reserved[index] ?? 0)]))
  const allowances = new Map(names.senders.map((sender, index) => [sender, counted.checks[index] ?? null]))
  const changed = new Map<string, number>()
  const slots: NewPlace[] = []
  const uses: Use[] = []
  const abandoned: string[] = []

  const round: Round = {
    now,
    totals,
    openOf: (key) => byKey.get(key)?.open ?? 0,
    rfqs: (key) => byKey.get(key)?.rfqs ?? [],
    proofs: (key) => byKey.get(key)?.proofs ?? [],
    reserved: (debt) => reserved.get(debtKey(debt)) ?? 0n,
    followed: new Map(Object.entries(counted.followed)),
    addPlace(slot) {
      const { verified, counts } = slot
      slots.push(slot)
      totals.open += 1
      if (!verified) totals.unverified += 1
      for (const { key } of counts) {
        uses.push({ key, kind: 0 })
        const own = byKey.get(key)
        if (!own) continue
        own.open += 1
        own.rfqs.push(now)
      }
      if (!slot.reserved) return
      const key = debtKey(slot.reserved.debt)
      reserved.set(key, (reserved.get(key) ?? 0n) + slot.reserved.notional)
    },
    abandon(id) {
      abandoned.push(id)
      totals.abandoned += 1
      totals.open -= 1
      if (!counted.followed[id]) totals.unverified -= 1
    },
    addProof(key) {
      uses.push({ key, kind: 1 })
      byKey.get(key)?.proofs.push(now)
    },
    allowance(sender) {
      const known = allowances.get(sender)
      return changed.get(sender) ?? (known ? accruedAllowance(known, now) : maxFailedChecks)
    },
    setAllowance: (sender, left) => void changed.set(sender, left),
  }

  return {
    ...round,
    hasChanged: () => slots.length + uses.length + abandoned.length + changed.size > 0,
    /** The parameters $3 to $13 of {@link writeRound}. */
    written: (ended: readonly string[]) => [
      slots.map(({ id }) => id),
      slots.map(({ keptMs }) => keptMs),
      slots.map(({ verified }) => verified),
      slots.map(({ counts }) => byteaArray(counts.map(({ key }) => hash(key)))),
      slots.map(({ reserved: its }) => its && hash(debtKey(its.debt))),
      slots.map(({ reserved: its }) => its && String(its.notional)),
      uses.map(({ key }) => hash(key)),
      uses.map(({ kind }) => kind),
      // A statement must not change the same row twice.
      abandoned.filter((id) => !ended.includes(id)),
      [...changed.keys()].map(hash),
      [...changed.values()],
    ],
  }
}

/** The text form of a `bytea[]`, for nesting in another array. */
function byteaArray(items: readonly Uint8Array[]): string {
  return `{${items.map((bytes) => `"\\\\x${Buffer.from(bytes).toString('hex')}"`).join(',')}}`
}
