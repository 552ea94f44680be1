import { createHmac, randomUUID } from 'node:crypto'
import type { Clock } from '@firmquote/core/utils'
import { LRUCache } from 'lru-cache'
import {
  allowancePerMs,
  allowanceSeconds,
  type Count,
  judgeProof,
  judgeSlot,
  mayBeAbandoned,
  type OpenTotals,
  type QuotaRejection,
  type RequestedSlot,
  type RequestLimits,
  type SlotVerdict,
} from '../../domain/quotas.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Quotas, Slot } from '../../ports/quotas.ts'
import type { PostgresPool } from '../postgresStore/postgresPool.ts'
import { createQuotaBatches, type QuotaRequest } from './quotaBatches.ts'
import { readTotals } from './quotaStatements.ts'

/** Milliseconds for which requests are refused again without querying the database. */
const repeatedMs = 250
/** Maximum number of cached refusals, and maximum number of senders with prefetched checks. */
const maxRemembered = 10_000
/** Number of checks fetched from the database at once: the requested one and a spare. */
const checksAtOnce = 2
/**
 * Lifetime of a prefetched check. Since the database allows one more check in this time, a sender exceeds its limit by
 * at most one check.
 */
const heldMs = 1 / allowancePerMs

/** A sender's prefetched checks with their expiry times, and its last refusal. */
type Held = { until: number[]; refusedUntil: number; seconds: number }

/** Options of {@link createPostgresQuotas}. */
export type PostgresQuotasOptions = {
  /** `now` is the service's time. */
  clock: Clock
  limits: RequestLimits
}

/**
 * Creates quotas shared by all instances of a database. The tables must already exist.
 *
 * @throws {StorageUnavailableError} if the database does not respond.
 */
export async function createPostgresQuotas(
  pool: Pick<PostgresPool, 'query'>,
  { clock, limits }: PostgresQuotasOptions,
): Promise<Quotas> {
  const [version] = await pool.query<{ key: Uint8Array }>('select key from quota_version')
  if (!version) throw new TypeError('The table quota_version has no row.')
  const hash = (text: string) => createHmac('sha256', version.key).update(text).digest()
  const batches = createQuotaBatches({ pool, clock, hash })
  const refusals = new LRUCache<string, { rejection: QuotaRejection; until: number }>({ max: maxRemembered })
  const held = new LRUCache<string, Held>({ max: maxRemembered })

  const remember = (name: string, rejection: QuotaRejection) =>
    refusals.set(name, { rejection, until: clock.monotonic() + repeatedMs })
  const remembered = (names: readonly string[]): QuotaRejection | null => {
    for (const name of names) {
      const refusal = refusals.get(name)
      if (refusal && refusal.until > clock.monotonic()) return refusal.rejection
    }
    return null
  }

  const createSlot = (
    { id, keptMs }: { id: string; keptMs: number },
    { verified, counts }: Extract<SlotVerdict, { ok: true }>,
  ): Slot => {
    let isReleased = false
    const end = (refundedMs: number | null) => {
      if (isReleased) return
      isReleased = true
      for (const name of ['unverified', ...counts.map(slotName)]) refusals.delete(name)
      batches.release({ id, refundedMs })
    }
    return {
      verified,
      release: () => end(null),
      refund: () => end(keptMs),
      async abandon() {
        if (isReleased) return false
        return batches
          .ask({
            ...emptyRequest,
            slots: [id],
            decide(batch) {
              if (!batch.followed.has(id) || !mayBeAbandoned(batch.totals, limits)) return false
              batch.abandon(id)
              return true
            },
          })
          .catch(() => false)
      },
    }
  }

  const admit = async ({ counts, taker }: RequestedSlot, keptMs: number): ReturnType<Quotas['admit']> => {
    // If the request names a taker, its limits are unknown until the taker's proof is verified. Proofs have a separate
    // limit.
    const known = taker ? null : remembered(['unverified', ...counts.map(slotName)])
    if (known) return { ok: false, rejection: known }
    const id = taker?.rfqId ?? randomUUID().replaceAll('-', '')
    const asked = batches.ask({
      ...emptyRequest,
      counts: [...counts, ...(taker?.counts ?? [])],
      debts: taker ? [taker.debt] : [],
      decide(batch): SlotVerdict {
        const decided = judgeSlot({ counts, taker }, { ...batch, times: batch.rfqs }, limits)
        if (decided.ok) {
          batch.addSlot({
            id,
            keptMs,
            ...decided,
            reserved: decided.verified && taker ? { debt: taker.debt, notional: taker.notional } : null,
          })
        }
        return decided
      },
    })
    const verdict = await asked.catch((error: unknown) => {
      // The failed write may nevertheless have counted the RFQ.
      batches.release({ id, refundedMs: keptMs })
      throw error
    })
    if (verdict.ok) return { ok: true, slot: createSlot({ id, keptMs }, verdict) }
    const { key, rejection } = verdict
    if (key !== null) remember(slotName({ key }), rejection)
    else if (!taker) remember('unverified', rejection)
    return { ok: false, rejection }
  }

  /** A sender's prefetched checks that have not expired. */
  const holding = (sender: string): Held => {
    const now = clock.monotonic()
    const known = held.get(sender) ?? { until: [], refusedUntil: 0, seconds: 0 }
    known.until = known.until.filter((until) => until > now)
    held.set(sender, known)
    return known
  }

  const takeCheck = (sender: string) => {
    const until = holding(sender).until.pop()
    if (until === undefined) return null
    let isOut = true
    return {
      ok: true as const,
      giveBack() {
        if (isOut) holding(sender).until.push(until)
        isOut = false
      },
    }
  }

  return {
    admit,
    restore: () => () => {},
    async spendProof(counts) {
      const known = remembered(counts.map(proofName))
      if (known) return known
      const refused = await batches.ask({
        ...emptyRequest,
        counts,
        decide(batch) {
          const decided = judgeProof(counts, { now: batch.now, times: batch.proofs })
          if (!decided) for (const { key } of counts) batch.addProof(key)
          return decided
        },
      })
      if (refused?.key) remember(proofName({ key: refused.key }), refused.rejection)
      return refused?.rejection ?? null
    },
    async totals() {
      const [row] = await pool.query<{ totals: OpenTotals }>(readTotals, [clock.now()])
      if (!row) throw new StorageUnavailableError('Failed to count the slots in use.')
      return row.totals
    },
    async admitCheck(sender) {
      const ready = takeCheck(sender)
      if (ready) return ready
      const { refusedUntil, seconds } = holding(sender)
      if (refusedUntil > clock.monotonic()) return { ok: false, retryAfterSeconds: seconds }
      const given = await batches.ask({
        ...emptyRequest,
        senders: [sender],
        decide(batch) {
          const left = batch.allowance(sender)
          const taken = Math.min(checksAtOnce, Math.floor(left))
          if (taken > 0) batch.setAllowance(sender, left - taken)
          return { taken, seconds: taken > 0 ? 0 : allowanceSeconds(left) }
        },
      })
      const until = clock.monotonic() + heldMs
      for (let taken = 0; taken < given.taken; taken += 1) holding(sender).until.push(until)
      const check = takeCheck(sender)
      if (check) return check
      const now = holding(sender)
      now.seconds = Math.max(1, given.seconds)
      now.refusedUntil = clock.monotonic() + Math.min(repeatedMs, now.seconds * 1_000)
      return { ok: false, retryAfterSeconds: now.seconds }
    },
  }
}

const emptyRequest = { counts: [], debts: [], senders: [], slots: [] } satisfies Pick<
  QuotaRequest<unknown>,
  'counts' | 'debts' | 'senders' | 'slots'
>

const slotName = ({ key }: Pick<Count, 'key'>) => `slot ${key}`
const proofName = ({ key }: Pick<Count, 'key'>) => `proof ${key}`
