// Why: docs/decisions/0048-shared-quotas.md
import type { Clock } from '@firmquote/core/utils'
import type { Count, OpenTotals } from '../../domain/quotas.ts'
import {
  accruedAllowance,
  type CheckAllowance,
  type Counted,
  debtKey,
  maxFailedChecks,
  proofsPerRfq,
} from '../../domain/quotas.ts'
import { sumReserved, type TakerDebt } from '../../domain/takerDebt.ts'
import { OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import type { PostgresPool } from '../postgresStore/postgresPool.ts'
import { readCounted, writeBatch } from './quotaStatements.ts'

/** A new slot for an open auction. A proven taker's slot has its RFQ's public ID. */
type NewSlot = {
  id: string
  keptMs: number
  verified: boolean
  counts: readonly Count[]
  reserved: { debt: TakerDebt; notional: bigint } | null
}

/**
 * The counts for one batch, and the batch's pending changes. Each request sees the changes made by earlier requests.
 */
export type QuotaBatch = Pick<Counted, 'now' | 'openOf' | 'reserved'> & {
  totals: OpenTotals
  rfqs: Counted['times']
  proofs: Counted['times']
  /** Requested slots that are neither abandoned nor expired, by id. The value is true for a verified slot. */
  followed: ReadonlyMap<string, boolean>
  addSlot(slot: NewSlot): void
  abandon(id: string): void
  addProof(key: string): void
  /** Number of failed checks that a sender may still make. */
  allowance(sender: string): number
  setAllowance(sender: string, left: number): void
}

/** A decision based on the counts. */
export type QuotaRequest<Answer> = {
  /** The counts on which the decision is based. */
  counts: readonly Count[]
  debts: readonly Pick<TakerDebt, 'taker' | 'poolId'>[]
  senders: readonly string[]
  slots: readonly string[]
  /**
   * Decides a request and adds the resulting changes to the batch. Called again if another instance wrote first.
   */
  decide(batch: QuotaBatch): Answer
}

/** Processes requests in batches. */
export type QuotaBatches = {
  /**
   * Resolves after the commit.
   *
   * @throws {OverloadedError} if too many requests are waiting.
   * @throws {StorageUnavailableError} if the database does not respond.
   */
  ask<Answer>(request: QuotaRequest<Answer>): Promise<Answer>
  /** Releases a slot in the next batch. If that batch fails, a later one tries again until the slot expires. */
  release(slot: ReleasedSlot): void
}

/** A slot to release. `refundedMs` is the `keptMs` with which it was added, or null if its RFQ stays counted. */
type ReleasedSlot = { id: string; refundedMs: number | null }

type Waiting = { request: QuotaRequest<unknown>; resolve(answer: unknown): void; reject(error: unknown): void }

/** Maximum number of requests per batch, and maximum number of requests waiting for a batch. */
const [maxAsked, maxWaiting] = [200, 2_000]
/** Milliseconds after which a batch fails if other instances repeatedly write first. */
const batchTimeoutMs = 2_000
/** Delay between batches, and maximum delay before a retry after another instance wrote first, in milliseconds. */
const [batchPauseMs, lostPauseMs] = [10, 20]
/** Interval between trims, in milliseconds, and the maximum number of recent uses and senders to keep. */
const [trimIntervalMs, maxKept] = [10_000, 500_000]

/**
 * Creates the batches. One statement reads the counts for all waiting requests. The decisions are made in memory. A
 * second statement writes the changes unless another instance has written in the meantime. Instances decide without
 * holding a lock, so a hung instance does not block the others. Requests are serialized across all instances.
 */
export function createQuotaBatches({
  pool,
  clock,
  hash,
}: {
  pool: Pick<PostgresPool, 'query'>
  clock: Clock
  hash: (text: string) => Uint8Array
}): QuotaBatches {
  const waiting: Waiting[] = []
  let released: ReleasedSlot[] = []
  /** Released slots whose batch failed. The next batch repeats them. */
  let unwritten: ReleasedSlot[] = []
  let isRunning = false
  let trimmedAt = clock.monotonic()

  /** Reads, decides and writes once. Returns null if another instance wrote in the meantime. */
  const tryBatch = async (requests: readonly QuotaRequest<unknown>[], releases: readonly ReleasedSlot[]) => {
    const ended = releases.map(({ id }) => id)
    const refunded = releases.filter(({ refundedMs }) => refundedMs !== null)
    const counted = requests.length > 0 ? await count(requests, ended) : null
    const batch = createBatch(counted, hash)
    const answers = requests.map(({ decide }) => decide(batch))
    const isTrimming = clock.monotonic() - trimmedAt >= trimIntervalMs
    if (!batch.hasChanged() && ended.length === 0) return answers
    const values = [
      clock.now(),
      batch.hasChanged() ? (counted?.version ?? null) : null,
      ...batch.written(ended),
      isTrimming,
      ended,
      maxKept,
      refunded.map(({ id }) => id),
      refunded.map(({ refundedMs }) => refundedMs),
    ]
    const [won] = await pool.query(writeBatch, values, 'quota_write')
    if (won && isTrimming) trimmedAt = clock.monotonic()
    return won ? answers : null
  }

  const count = async (requests: readonly QuotaRequest<unknown>[], ended: readonly string[]) => {
    const counts = new Map<string, { rfqs: number; proofs: number }>()
    for (const { key, limits } of requests.flatMap((request) => request.counts)) {
      const known = counts.get(key) ?? { rfqs: 0, proofs: 0 }
      const rfqs = Math.max(known.rfqs, limits.rfqsPerMinute)
      counts.set(key, { rfqs, proofs: rfqs * proofsPerRfq })
    }
    const keys = [...counts.keys()]
    const debts = [...new Set(requests.flatMap((request) => request.debts.map(debtKey)))]
    const senders = [...new Set(requests.flatMap((request) => request.senders))]
    const [row] = await pool.query<CountedRow>(
      readCounted,
      [
        clock.now(),
        keys.map(hash),
        [...counts.values()].map(({ rfqs }) => rfqs),
        [...counts.values()].map(({ proofs }) => proofs),
        debts.map(hash),
        senders.map(hash),
        requests.flatMap(({ slots }) => slots),
        ended,
      ],
      'quota_read',
    )
    if (!row) throw new StorageUnavailableError('Failed to read the quotas.')
    return { ...row, names: { keys, debts, senders } }
  }

  const pause = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve))

  const runBatch = async () => {
    const asked = waiting.splice(0, maxAsked)
    const ended = [...unwritten, ...released]
    released = []
    unwritten = []
    const startedAt = clock.monotonic()
    try {
      for (;;) {
        const answers = await tryBatch(
          asked.map(({ request }) => request),
          ended,
        )
        if (answers) {
          for (const [index, { resolve }] of asked.entries()) resolve(answers[index])
          return
        }
        if (clock.monotonic() - startedAt > batchTimeoutMs) throw new OverloadedError()
        // A random delay spreads out the retries of instances whose writes failed at the same time.
        await pause(lostPauseMs * Math.random())
      }
    } catch (error) {
      unwritten = ended.slice(-maxWaiting)
      for (const { reject } of asked) reject(error)
    }
  }

  const run = async () => {
    if (isRunning) return
    isRunning = true
    // Batches requests made in the same tick.
    await Promise.resolve()
    // If only releases are pending, wait for the next request before writing them.
    if (waiting.length === 0) await pause(batchPauseMs)
    while (waiting.length > 0 || released.length > 0) {
      await runBatch()
      await pause(batchPauseMs)
    }
    isRunning = false
  }

  return {
    ask: <Answer>(request: QuotaRequest<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new OverloadedError())
        waiting.push({ request, resolve: (answer) => resolve(answer as Answer), reject })
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
  reserved: Record<string, string>[]
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

function createBatch(given: NamedCounts | null, hash: (text: string) => Uint8Array) {
  const { now, totals, names, ...counted } = given ?? nothingCounted
  const byKey = new Map(names.keys.map((key, index) => [key, counted.keys[index]]))
  /** The notionals of open verified RFQs by slot, by taker and pool. */
  const reserved = new Map(
    names.debts.map((key, index) => [
      key,
      new Map(Object.entries(counted.reserved[index] ?? {}).map(([id, notional]) => [id, BigInt(notional)])),
    ]),
  )
  const allowances = new Map(names.senders.map((sender, index) => [sender, counted.checks[index] ?? null]))
  const changed = new Map<string, number>()
  const slots: NewSlot[] = []
  const uses: Use[] = []
  const abandoned: string[] = []

  const batch: QuotaBatch = {
    now,
    totals,
    openOf: (key) => byKey.get(key)?.open ?? 0,
    rfqs: (key) => byKey.get(key)?.rfqs ?? [],
    proofs: (key) => byKey.get(key)?.proofs ?? [],
    reserved: (debt) => sumReserved(reserved.get(debtKey(debt)) ?? [], debt),
    followed: new Map(Object.entries(counted.followed)),
    addSlot(slot) {
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
      if (slot.reserved) reserved.get(debtKey(slot.reserved.debt))?.set(slot.id, slot.reserved.notional)
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
    ...batch,
    hasChanged: () => slots.length + uses.length + abandoned.length + changed.size > 0,
    /** Parameters $3 to $13 of {@link writeBatch}. */
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

/** Text form of a `bytea[]`, for nesting in another array. */
function byteaArray(items: readonly Uint8Array[]): string {
  return `{${items.map((bytes) => `"\\\\x${Buffer.from(bytes).toString('hex')}"`).join(',')}}`
}
