// Why: docs/decisions/0048-shared-quotas.md
import type { PublicRfqId, Rejection } from '@firmquote/core'
import { isCovered, type TakerDebt } from './takerDebt.ts'

/** Limits for one requester. */
export type RequesterLimits = {
  /** Maximum RFQs in any minute. */
  rfqsPerMinute: number
  /** Maximum simultaneously open RFQs. */
  openRfqs: number
}

/** A client that sends requests on behalf of many users and has its own quotas. */
export type Integrator = { id: string; limits: RequesterLimits }

/** Limits per requester and for all requesters together. */
export type RequestLimits = RequesterLimits & {
  /**
   * Maximum simultaneously open auctions across all requesters. Verified RFQs may use all slots, others only half of
   * them. Abandoned auctions may exceed the limit on open auctions by up to half of it.
   */
  openAuctions: number
}

/** A requester as defined by one of the limits. */
export type Count = { key: string; limits: RequesterLimits }

/** A request for one of the open-auction slots. */
export type RequestedSlot = {
  /** The counts charged for an unverified RFQ. */
  counts: readonly Count[]
  /**
   * The proven taker's debt, which makes an RFQ verified if it covers the RFQ, and the counts charged for a verified
   * RFQ.
   */
  taker: { rfqId: PublicRfqId; debt: TakerDebt; notional: bigint; counts: readonly Count[] } | null
}

/** The numbers of followed auctions, unverified ones among them, and abandoned auctions. */
export type OpenTotals = { open: number; unverified: number; abandoned: number }

/** The counters at the time of a request. */
export type Counted = {
  /** The current time in milliseconds, on the same clock as `times`. */
  now: number
  totals: OpenTotals
  /** Number of a requester's open auctions, including abandoned ones. */
  openOf(key: string): number
  /** Times at which a requester opened auctions in the last minute, earliest first. */
  times(key: string): readonly number[]
  /** The part of a taker's debt reserved by open auctions, in raw units. */
  reserved(debt: Pick<TakerDebt, 'taker' | 'poolId' | 'taken'>): bigint
}

/** The reason for a refusal. */
export type QuotaRejection = Extract<Rejection, { code: 'TOO_MANY_OPEN' | 'RATE_LIMITED' | 'OVERLOADED' }>

/**
 * A granted slot with its class and counts, or a refusal with the key that caused it (null for the total limit).
 */
export type SlotVerdict =
  | { ok: true; verified: boolean; counts: readonly Count[] }
  | { ok: false; rejection: QuotaRejection; key: string | null }

/** Length of a rate limit's window, in milliseconds. */
export const windowMs = 60_000
/**
 * Maximum number of proofs checked for a network per RFQ that it may send. More than 1, because verified takers have
 * separate quotas.
 */
export const proofsPerRfq = 5
/**
 * Factor by which a wider network's limits exceed those of a network within it, because one client may own many
 * narrower networks.
 */
const widerFactor = 4
/**
 * Factor by which a taker's limits exceed those of each of its proofs. A stolen proof can therefore use up only its own
 * limits, and the taker signs another one.
 */
const proofsFactor = 2

/**
 * Returns the counts charged for an RFQ: those of its verified taker's proof and of the taker, otherwise its
 * integrator's, otherwise those of its sender's networks.
 */
export function countsOf(
  { address, wider, integrator }: { address: string; wider?: string; integrator?: Integrator },
  proof: { taker: string; timestamp: number } | null,
  { rfqsPerMinute, openRfqs }: RequesterLimits,
): Count[] {
  const limits = { rfqsPerMinute, openRfqs }
  const multiplied = (factor: number) => ({ rfqsPerMinute: rfqsPerMinute * factor, openRfqs: openRfqs * factor })
  if (proof !== null) {
    const key = `taker ${proof.taker.toLowerCase()}`
    return [
      { key: `${key} ${proof.timestamp}`, limits },
      { key, limits: multiplied(proofsFactor) },
    ]
  }
  if (integrator) return [{ key: `integrator ${integrator.id}`, limits: integrator.limits }]
  return [{ key: address, limits }, ...(wider === undefined ? [] : [{ key: wider, limits: multiplied(widerFactor) }])]
}

/** Returns the key for a taker's debt in one pool. */
export function debtKey({ taker, poolId }: Pick<TakerDebt, 'taker' | 'poolId'>): string {
  return `${taker} ${poolId}`.toLowerCase()
}

/** Decides whether another auction may open and whether it counts as verified. */
export function judgeSlot(asked: RequestedSlot, counted: Counted, { openAuctions }: RequestLimits): SlotVerdict {
  const { taker } = asked
  const verified = taker !== null && isCovered(taker.notional, taker.debt, counted.reserved(taker.debt))
  const counts = verified ? taker.counts : asked.counts
  const { open, unverified } = counted.totals
  if (open >= openAuctions || (!verified && unverified >= half(openAuctions))) {
    return { ok: false, rejection: { code: 'OVERLOADED' }, key: null }
  }
  for (const { key, limits } of counts) {
    const own = counted.openOf(key)
    if (own >= limits.openRfqs) {
      return { ok: false, rejection: { code: 'TOO_MANY_OPEN', open: own, limit: limits.openRfqs }, key }
    }
  }
  const late = rateLimited(counts, ({ rfqsPerMinute }) => rfqsPerMinute, counted)
  return late ?? { ok: true, verified, counts }
}

/** Decides, based on the times of recent checks, whether another taker proof may be checked. Returns null if it may. */
export function judgeProof(
  counts: readonly Count[],
  counted: Pick<Counted, 'now' | 'times'>,
): Extract<SlotVerdict, { ok: false }> | null {
  return rateLimited(counts, ({ rfqsPerMinute }) => rfqsPerMinute * proofsPerRfq, counted)
}

/** Whether another auction may release its slot and continue as abandoned. */
export function mayBeAbandoned({ abandoned }: Pick<OpenTotals, 'abandoned'>, { openAuctions }: RequestLimits): boolean {
  return abandoned < half(openAuctions)
}

function half(openAuctions: number): number {
  return Math.ceil(openAuctions / 2)
}

function rateLimited(
  counts: readonly Count[],
  limitOf: (limits: RequesterLimits) => number,
  { now, times }: Pick<Counted, 'now' | 'times'>,
): Extract<SlotVerdict, { ok: false }> | null {
  for (const { key, limits } of counts) {
    const oldest = times(key).at(-limitOf(limits))
    if (oldest === undefined) continue
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
    return { ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds }, key }
  }
  return null
}

/** Failed contract signature checks allowed per sender per minute. The allowance refills continuously. */
export const maxFailedChecks = 20

/** Number of further checks that may fail for a sender, as of `at` in milliseconds. */
export type CheckAllowance = { left: number; at: number }

/** Returns the allowance, including refills up to `now`. */
export function accruedAllowance({ left, at }: CheckAllowance, now: number): number {
  return Math.min(maxFailedChecks, left + (now - at) * allowancePerMs)
}

/** Returns the seconds until an allowance below one is enough for a check. */
export function allowanceSeconds(left: number): number {
  return Math.ceil((1 - left) / allowancePerMs / 1_000)
}

/** The rate at which an allowance refills. */
export const allowancePerMs = maxFailedChecks / windowMs
