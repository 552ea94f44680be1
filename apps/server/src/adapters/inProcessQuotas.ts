import type { PublicRfqId } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { LRUCache } from 'lru-cache'
import {
  accruedAllowance,
  allowanceSeconds,
  type CheckAllowance,
  type Count,
  type Counted,
  debtKey,
  judgeProof,
  judgeSlot,
  maxFailedChecks,
  mayBeAbandoned,
  type RequestLimits,
  windowMs,
} from '../domain/quotas.ts'
import { publicRfqId } from '../domain/rfqIds.ts'
import { sumReserved } from '../domain/takerDebt.ts'
import type { Quotas, Slot } from '../ports/quotas.ts'

/** Maximum number of requesters whose recent requests are kept. */
const maxRemembered = 100_000
const maxSenders = 10_000

/** Creates quotas for one process, with sliding windows on the monotonic clock. Decisions are synchronous. */
export function createInProcessQuotas(clock: Pick<Clock, 'monotonic'>, limits: RequestLimits): Quotas {
  const requests = createWindow(clock)
  const proofs = createWindow(clock)
  const senders = new LRUCache<string, CheckAllowance>({ max: maxSenders })
  const open = new Map<string, number>()
  /** The notionals of open verified RFQs by public ID, by taker and pool. */
  const reserved = new Map<string, Map<PublicRfqId, bigint>>()
  const totals = { open: 0, unverified: 0, abandoned: 0 }
  /**
   * Slots in use, with their expiry times. All slots have about the same lifetime, so insertion order approximates
   * expiry order.
   */
  const slots = new Map<Slot, number>()

  const reserve = (key: string, rfqId: PublicRfqId, notional: bigint) => {
    const rfqs = reserved.get(key) ?? new Map<PublicRfqId, bigint>()
    reserved.set(key, rfqs.set(rfqId, notional))
    return () => {
      rfqs.delete(rfqId)
      if (rfqs.size === 0 && reserved.get(key) === rfqs) reserved.delete(key)
    }
  }

  const leave = (verified: boolean) => {
    totals.open -= 1
    if (!verified) totals.unverified -= 1
  }

  const createSlot = (counts: readonly Count[], verified: boolean, giveBack: () => void): Slot => {
    let state: 'open' | 'abandoned' | 'released' = 'open'
    totals.open += 1
    if (!verified) totals.unverified += 1
    const at = clock.monotonic()
    for (const { key } of counts) {
      requests.add(key, at)
      open.set(key, (open.get(key) ?? 0) + 1)
    }
    const end = (isRefunded: boolean) => {
      if (state === 'released') return
      if (state === 'open') leave(verified)
      else totals.abandoned -= 1
      state = 'released'
      slots.delete(slot)
      for (const { key } of counts) {
        const left = (open.get(key) ?? 0) - 1
        if (left > 0) open.set(key, left)
        else open.delete(key)
        if (isRefunded) requests.remove(key, at)
      }
      giveBack()
    }
    const slot: Slot = {
      verified,
      release: () => end(false),
      refund: () => end(true),
      async abandon() {
        if (state !== 'open' || !mayBeAbandoned(totals, limits)) return false
        state = 'abandoned'
        leave(verified)
        totals.abandoned += 1
        return true
      },
    }
    return slot
  }

  const releaseOverdue = () => {
    for (const [slot, until] of slots) {
      if (until > clock.monotonic()) break
      slot.release()
    }
  }

  const counted = (window: typeof requests): Counted => ({
    now: clock.monotonic(),
    totals,
    openOf: (key) => open.get(key) ?? 0,
    times: window.times,
    reserved: (debt) => sumReserved(reserved.get(debtKey(debt)) ?? [], debt),
  })

  return {
    async admit(asked, keptMs) {
      releaseOverdue()
      const verdict = judgeSlot(asked, counted(requests), limits)
      if (!verdict.ok) return { ok: false, rejection: verdict.rejection }
      const { verified, counts } = verdict
      const { taker } = asked
      const giveBack = verified && taker ? reserve(debtKey(taker.debt), taker.rfqId, taker.notional) : () => {}
      const slot = createSlot(counts, verified, giveBack)
      slots.set(slot, clock.monotonic() + keptMs)
      return { ok: true, slot }
    },
    restore: ({ rfqId, poolId, taker, takerVerified, notional }) =>
      taker && takerVerified ? reserve(debtKey({ taker, poolId }), publicRfqId(rfqId), notional) : () => {},
    async spendProof(counts) {
      const refused = judgeProof(counts, counted(proofs))
      if (refused) return refused.rejection
      for (const { key } of counts) proofs.add(key, clock.monotonic())
      return null
    },
    async totals() {
      releaseOverdue()
      return { ...totals }
    },
    async admitCheck(sender) {
      const now = clock.monotonic()
      const left = accruedAllowance(senders.get(sender) ?? { left: maxFailedChecks, at: now }, now)
      if (left < 1) return { ok: false, retryAfterSeconds: allowanceSeconds(left) }
      senders.set(sender, { left: left - 1, at: now })
      return {
        ok: true,
        giveBack() {
          const current = senders.get(sender)
          if (current) current.left += 1
        },
      }
    },
  }
}

/** Each key's request times within the last minute. */
function createWindow(clock: Pick<Clock, 'monotonic'>) {
  /** Keys are ordered by their latest request. */
  const known = new Map<string, number[]>()

  const times = (key: string) => (known.get(key) ?? []).filter((time) => time > clock.monotonic() - windowMs)

  return {
    times,
    add(key: string, now: number) {
      const recent = [...times(key), now]
      known.delete(key)
      known.set(key, recent)
      for (const [oldest, its] of known) {
        const isOver = (its.at(-1) ?? now) <= now - windowMs
        if (!isOver && known.size <= maxRemembered) break
        known.delete(oldest)
      }
    },
    /** Removes one request made at a time. Requests at the same time are interchangeable. */
    remove(key: string, at: number) {
      const its = known.get(key) ?? []
      const position = its.indexOf(at)
      if (position >= 0) its.splice(position, 1)
      if (its.length === 0) known.delete(key)
    },
  }
}
