// Why: docs/decisions/0048-shared-quotas.md
import type { Rejection } from '@firmquote/core'
import { isCovered, type TakerDebt } from './takerDebt.ts'

/** How many auctions one requester may open. */
export type RequesterLimits = {
  /** In any minute. */
  rfqsPerMinute: number
  /** Open at the same time. */
  openRfqs: number
}

/** How many auctions may be opened. */
export type RequestLimits = RequesterLimits & {
  /**
   * Open at the same time by all requesters. Verified RFQs may have them all, the others half; half as many more may run on that
   * nobody follows any more.
   */
  openAuctions: number
}

/** A requester as one of the limits counts it. */
export type Count = { key: string; limits: RequesterLimits }

/** What asks for a place among the open auctions. */
export type RequestedSlot = {
  /** What it counts against unless it is verified. */
  counts: readonly Count[]
  /** The proven taker's debt, which verifies the RFQ as far as it covers it, and what a verified one counts against. */
  taker: { debt: TakerDebt; notional: bigint; counts: readonly Count[] } | null
}

/** How many auctions there are: followed ones, the unverified of them, and abandoned ones. */
export type OpenTotals = { open: number; unverified: number; abandoned: number }

/** What is counted when it is asked. */
export type Counted = {
  /** Milliseconds by the clock of `times`. */
  now: number
  totals: OpenTotals
  /** How many auctions of a requester are open, abandoned ones among them. */
  openOf(key: string): number
  /** When a requester opened those of the last minute, the earliest first. */
  times(key: string): readonly number[]
  /** How much of a taker's debt open auctions have reserved, in raw units. */
  reserved(debt: Pick<TakerDebt, 'taker' | 'poolId'>): bigint
}

/** Why something is not admitted. */
export type QuotaRejection = Extract<Rejection, { code: 'TOO_MANY_OPEN' | 'RATE_LIMITED' | 'OVERLOADED' }>

/** Whether a place is given, as what, and what it then counts against; or which key refuses it, null for all requesters. */
export type SlotVerdict =
  | { ok: true; verified: boolean; counts: readonly Count[] }
  | { ok: false; rejection: QuotaRejection; key: string | null }

/** Windows are a minute, in milliseconds. */
export const windowMs = 60_000
/** For each RFQ that a network may send, so many proofs are checked: takers behind it have quotas of their own. */
export const proofsPerRfq = 5
/** A network that contains others, of which one client may have many, may send so many times as much as one of them. */
const widerFactor = 4

/** What an RFQ counts against: its verified taker alone, else the integrator, else the networks that it comes from. */
export function countsOf(
  {
    address,
    wider,
    integrator,
  }: { address: string; wider?: string; integrator?: { id: string; limits: RequesterLimits } },
  taker: string | null,
  { rfqsPerMinute, openRfqs }: RequesterLimits,
): Count[] {
  const limits = { rfqsPerMinute, openRfqs }
  if (taker !== null) return [{ key: `taker ${taker.toLowerCase()}`, limits }]
  if (integrator) return [{ key: `integrator ${integrator.id}`, limits: integrator.limits }]
  const most = { rfqsPerMinute: rfqsPerMinute * widerFactor, openRfqs: openRfqs * widerFactor }
  return [{ key: address, limits }, ...(wider === undefined ? [] : [{ key: wider, limits: most }])]
}

/** The name of a taker's debt in one pool. */
export function debtKey({ taker, poolId }: Pick<TakerDebt, 'taker' | 'poolId'>): string {
  return `${taker} ${poolId}`.toLowerCase()
}

/** Judges whether one more auction is opened, and whether it is a verified one. */
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

/** Judges whether one more proof of a taker is checked, by when the last ones were; null when it is. */
export function judgeProof(
  counts: readonly Count[],
  counted: Pick<Counted, 'now' | 'times'>,
): Extract<SlotVerdict, { ok: false }> | null {
  return rateLimited(counts, ({ rfqsPerMinute }) => rfqsPerMinute * proofsPerRfq, counted)
}

/** Whether one more auction may leave its place and run on. */
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

/** How many checks of contract signatures may fail for one sender in a minute; they come back one by one. */
export const maxFailedChecks = 20

/** Checks that may still fail for a sender, and when that was so, in milliseconds. */
export type CheckAllowance = { left: number; at: number }

/** What an allowance has grown to. */
export function accruedAllowance({ left, at }: CheckAllowance, now: number): number {
  return Math.min(maxFailedChecks, left + (now - at) * allowancePerMs)
}

/** In how many seconds one more check may be made of an allowance that is less than one. */
export function allowanceSeconds(left: number): number {
  return Math.ceil((1 - left) / allowancePerMs / 1_000)
}

/** How fast an allowance grows. */
export const allowancePerMs = maxFailedChecks / windowMs
